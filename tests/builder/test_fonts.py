from __future__ import annotations

from pathlib import Path

import pytest

from builder import fonts
from fieldpost.errors import FieldpostError


@pytest.mark.parametrize("face", fonts.FACES)
def test_every_face_comes_with_the_installation_and_an_open_licence(face: str) -> None:
    path = fonts.path(face)
    assert path.suffix == ".ttf"
    assert "SIL OPEN FONT LICENSE" in (path.parents[1] / "LICENSE").read_text("utf-8").upper()


@pytest.mark.parametrize("face", fonts.FACES)
@pytest.mark.parametrize("cap_px", [8, 40])
def test_capitals_are_never_higher_than_asked(face: str, cap_px: int) -> None:
    _, top, _, bottom = fonts.cap_font(face, cap_px).getbbox("H", anchor="ls")
    assert cap_px - 1 <= bottom - top <= cap_px  # hinting may round one down, never up


def test_a_missing_typeface_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fonts.FACES, "none", (("fontpkg_no_such_family", "No-"), "Bold"))
    with pytest.raises(FieldpostError) as caught:
        fonts.path("none")
    assert caught.value.hint == "pip install fontpkg-no-such-family"
    assert not Path("none").exists()
