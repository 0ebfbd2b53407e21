"""The folder of strangers' files is found where it is, and missed aloud where it was named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import places
from tests.places import REPOSITORY

VARIABLE = "FIELDPOST_CORPUS"


def test_a_corpus_that_was_named_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "MANIFEST.tsv").touch()
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert places.corpus() == places.Corpus(tmp_path)


def test_a_corpus_that_was_named_but_is_not_there_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(FileNotFoundError, match="MANIFEST"):
        places.corpus()


def test_the_corpus_beside_the_clone_is_used_by_ci() -> None:
    script = (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")
    assert "export FIELDPOST_CORPUS" in script
    assert "cd ../shared/corpus" in script
