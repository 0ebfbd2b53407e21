"""A small PDF: pages of pictures and lines. A picture used often is stored once, without loss.

It holds no dates, so the same pages give the same bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable

from PIL import Image

HEADER = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"
CATALOG, PAGES, INFO = 1, 2, 3


class Pdf:
    def __init__(self, title: str) -> None:
        self._objects: dict[int, bytes] = {}
        self._pages: list[Page] = []
        self._pictures: dict[Hashable, int] = {}
        self._next = INFO + 1
        self._objects[INFO] = b"<< /Title <FEFF%s> >>" % title.encode("utf-16-be").hex().encode()

    def page(self, width: float, height: float) -> Page:
        """A new page, measured in points."""
        page = Page(self, width, height)
        self._pages.append(page)
        return page

    def image(self, key: Hashable, draw: Callable[[], Image.Image]) -> int:
        """The number of a picture, which is drawn when its key is new."""
        if key not in self._pictures:
            self._pictures[key] = self._add(_image(draw()))
        return self._pictures[key]

    def render(self) -> bytes:
        numbers = [self._add_page(page) for page in self._pages]
        kids = b" ".join(b"%d 0 R" % number for number in numbers)
        self._objects[CATALOG] = b"<< /Type /Catalog /Pages %d 0 R >>" % PAGES
        self._objects[PAGES] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(numbers), kids)
        return self._file()

    def _add_page(self, page: Page) -> int:
        contents = self._add(_stream(b"", page.content()))
        images = b" ".join(b"/P%d %d 0 R" % (n, n) for n in sorted(page.images))
        return self._add(
            b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %.2f %.2f] /Contents %d 0 R "
            b"/Resources << /XObject << %s >> >> >>" % (PAGES, page.width, page.height, contents, images)
        )

    def _add(self, body: bytes) -> int:
        number = self._next
        self._next += 1
        self._objects[number] = body
        return number

    def _file(self) -> bytes:
        out = bytearray(HEADER)
        offsets = {}
        for number in sorted(self._objects):
            offsets[number] = len(out)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, self._objects[number])
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        for number in sorted(offsets):
            out += b"%010d 00000 n \n" % offsets[number]
        out += b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\n" % (len(offsets) + 1, CATALOG, INFO)
        out += b"startxref\n%d\n%%%%EOF\n" % start
        return bytes(out)


class Page:
    def __init__(self, pdf: Pdf, width: float, height: float) -> None:
        self._pdf = pdf
        self._drawn: list[bytes] = []
        self.width, self.height = width, height
        self.images: set[int] = set()

    def picture(
        self, key: Hashable, draw: Callable[[], Image.Image], x: float, y: float, width: float, height: float
    ) -> None:
        """A picture with its bottom left corner at (x, y)."""
        number = self._pdf.image(key, draw)
        self.images.add(number)
        self._drawn.append(b"q %.3f 0 0 %.3f %.3f %.3f cm /P%d Do Q" % (width, height, x, y, number))

    def fill(self, color: tuple[int, int, int], x: float, y: float, width: float, height: float) -> None:
        r, g, b = (channel / 255 for channel in color)
        self._drawn.append(b"q %.3f %.3f %.3f rg %.3f %.3f %.3f %.3f re f Q" % (r, g, b, x, y, width, height))

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """A hairline."""
        self._drawn.append(b"0.3 w %.3f %.3f m %.3f %.3f l S" % (x0, y0, x1, y1))

    def content(self) -> bytes:
        return b"\n".join(self._drawn)


def _image(picture: Image.Image) -> bytes:
    rgb = picture.convert("RGB")
    entries = (
        b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 "
    )
    return _stream(entries % rgb.size, rgb.tobytes())


def _stream(entries: bytes, data: bytes) -> bytes:
    packed = zlib.compress(data, 6)
    head = b"<< %s/Length %d /Filter /FlateDecode >>" % (entries, len(packed))
    return b"%s\nstream\n%s\nendstream" % (head, packed)
