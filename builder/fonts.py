"""The typefaces of everything drawn. They come with the installation, not from the machine.

Barlow (condensed and semi-condensed) and PT Serif are under the SIL Open Font License 1.1 and arrive
as dependencies (`fontpkg-*`, font files only).
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from PIL import ImageFont

from fieldpost.errors import FieldpostError

_CONDENSED = "fontpkg_barlow_condensed", "BarlowCondensed-"
_SEMI = "fontpkg_barlow_semi_condensed", "BarlowSemiCondensed-"
_SERIF = "fontpkg_pt_serif", "PT_Serif-Web-"

FACES: dict[str, tuple[tuple[str, str], str]] = {
    "condensed": (_CONDENSED, "Medium"),
    "condensed-semibold": (_CONDENSED, "SemiBold"),
    "condensed-bold": (_CONDENSED, "Bold"),
    "condensed-black": (_CONDENSED, "ExtraBold"),
    "sans": (_SEMI, "Regular"),
    "sans-medium": (_SEMI, "Medium"),
    "sans-semibold": (_SEMI, "SemiBold"),
    "sans-bold": (_SEMI, "Bold"),
    "sans-black": (_SEMI, "ExtraBold"),
    "sans-italic": (_SEMI, "MediumItalic"),
    "serif": (_SERIF, "Regular"),
    "serif-bold": (_SERIF, "Bold"),
    "serif-italic": (_SERIF, "Italic"),
    "serif-bold-italic": (_SERIF, "BoldItalic"),
}


@cache
def path(face: str) -> Path:
    """The font file of a face named in FACES."""
    (package, stem), style = FACES[face]
    try:
        found = Path(str(files(package))) / "files" / f"{stem}{style}.ttf"
    except ModuleNotFoundError:
        found = None
    if found is None or not found.is_file():
        raise FieldpostError(
            f"the typeface {stem}{style} is missing from this installation",
            f"pip install {package.replace('_', '-')}",
        )
    return found


@lru_cache(maxsize=512)
def font(face: str, size_px: float) -> ImageFont.FreeTypeFont:
    """A face at an em size in pixels, laid out the same way on every machine."""
    return ImageFont.truetype(str(path(face)), size_px, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=512)
def cap_font(face: str, cap_px: float) -> ImageFont.FreeTypeFont:
    """A face whose capitals and digits are `cap_px` pixels high, or a pixel less where hinting insists."""
    size = cap_px * 1000 / _cap(font(face, 1000))
    while _cap(font(face, size)) > cap_px:  # hinting rounds up
        size *= 0.998
    return font(face, size)


def _cap(used: ImageFont.FreeTypeFont) -> int:
    _, top, _, bottom = used.getbbox("H", anchor="ls")
    return int(bottom - top)
