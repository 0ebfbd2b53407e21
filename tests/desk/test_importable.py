"""What checks a turn runs without Pillow, lxml and processes: the Python of the site has none of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from fieldpost.definition import compiled, load
from fieldpost.definition.rulelist import load_rules
from tests.places import REPOSITORY

_CHECK = """
import pickle, sys, threading
from pathlib import Path

GONE = ("lxml", "PIL", "numpy", "multiprocessing", "concurrent", "subprocess", "resource", "signal",
        "asyncio", "fcntl", "starlette", "uvicorn", "yaml")

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in GONE:
            raise ImportError(f"{name} is not there")

for name in [name for name in sys.modules if name.split(".")[0] in GONE]:
    del sys.modules[name]
sys.meta_path.insert(0, Gone())

def refuse(self):
    raise RuntimeError("no threads here")
threading.Thread.start = refuse

from fieldpost.definition import compiled
made = {}
compiled.load = made.get
for game in ("wfm", "lwe"):
    made[game] = pickle.loads(Path(sys.argv[1], game).read_bytes())

from desk import judging, questions, sheets
import desk.site.tab
import validator.games.lwe.queries
files = [Path("examples/faulty-turn.txt"), *sorted(Path("examples/samples/turning-point").glob("1*.vlog"))]
for path in files:
    judged = judging.judge([judging.Source(path, path.name)], judging.Asked())
    assert judged.audits, path
    judged.view(), judged.data(), judged.text(), judged.page(0, lambda game: None)
    played = questions.Played.of(judged.audits[0])
    assert questions.answer(played, questions.Question("unit", 1, "PzKG-4"))["reach"]
assert sheets.problems("game wfm turning-point\\nfoo")
print("checked")
"""


def test_checking_needs_nothing_that_a_browser_has_not(tmp_path: Path) -> None:
    for game in ("wfm", "lwe"):
        (tmp_path / game).write_bytes(compiled.dump(load(game), load_rules(game)))
    told = subprocess.run(
        [sys.executable, "-c", _CHECK, str(tmp_path)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout.strip() == "checked", told.stderr
