"""Counters a second of one core, drawn and written as PNG; cold (nothing drawn before) and warm."""

from __future__ import annotations

from time import process_time

from builder import counters
from fieldpost.definition import load

NEEDED = 300
SIZES = (60, 75, 100)


def rate(faces: list[counters.Face], size_px: int) -> float:
    start = process_time()
    for face in faces:
        counters.png(face.draw(size_px))
    return len(faces) / (process_time() - start)


def main() -> None:
    faces = list(counters.faces(load("wfm")))
    print(f"{len(faces)} different faces of wfm; needed: {NEEDED} a second")
    print(f"{'pixels':>8}{'cold':>8}{'warm':>8}  a second")
    for size_px in SIZES:
        cold, warm = rate(faces, size_px), rate(faces, size_px)
        print(f"{size_px:>8}{cold:>8.0f}{warm:>8.0f}  {cold / NEEDED:.1f} times what is needed")


if __name__ == "__main__":
    main()
