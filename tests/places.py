"""Where the tests find material that is not in the repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent


class Corpus(NamedTuple):
    """Logs, saves and modules of strangers: inputs only, never committed, never quoted."""

    root: Path

    def files(self, *kinds: str) -> list[Path]:
        """All files of the folders `kinds` (vlog, vsav, vmod); of all three when none is named."""
        return sorted(
            path for kind in kinds or ("vlog", "vsav", "vmod") for path in (self.root / kind).iterdir()
        )


def corpus() -> Corpus | None:
    """The folder FIELDPOST_CORPUS, else one beside the repository; None when there is none.

    One that was named must be there: a test skipped for want of it would pass for one that ran.
    """
    named = os.environ.get("FIELDPOST_CORPUS")
    root = Path(named) if named else REPOSITORY.parent / "shared" / "corpus"
    if (root / "MANIFEST.tsv").is_file():
        return Corpus(root)
    if named:
        raise FileNotFoundError(f"FIELDPOST_CORPUS names {root}, which holds no MANIFEST.tsv")
    return None
