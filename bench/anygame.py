"""A game of 5,000 steps of a module nobody here made: audited, replayed into one file, stepped in a browser.

The steps are random play on the demo module: moves, stacks, flips, cards, undos, dice. The page is opened in
Chromium; without one its two rows are left out. Of 300 steps the middle one counts.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from random import Random

from bench import Result
from fieldpost.cli import main as fieldpost
from tests import oracle_files
from tests.browser import chromium
from tests.engine.play import random_play
from validator.anygame import audit as anygame
from validator.anygame import one_log
from validator.audit import sources

STEPS = 5000
ACTIONS = 5850  # of which some find nothing to do
OPEN_SECONDS, STEP_SECONDS, PAGE_MB, STEPS_A_SECOND = 2.0, 0.016, 10, 2000
_ROUNDS = 3
_READY = "document.getElementById('count').textContent.includes('of')"
_STEPPING = """(async () => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  const slider = document.getElementById('slider');
  slider.value = 2500;
  slider.dispatchEvent(new Event('input'));
  await new Promise(requestAnimationFrame);
  window.requestAnimationFrame = (draw) => draw(performance.now());   // each step is drawn before the next
  const times = [];
  for (let n = 0; n < 300; n++) {
    const begun = performance.now();
    press('.');
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[150];
})()"""


def run() -> list[Result]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        log = folder / "long.vlog"
        random_play(Random(1), ACTIONS).write(log)
        audited = min(_audit(log) for _ in range(_ROUNDS))
        page = folder / "long.html"
        started = time.perf_counter()
        fieldpost(["replay", str(log), "--module", str(oracle_files.MODULE), "-o", str(page)])
        written = time.perf_counter() - started
        size = page.stat().st_size / 1_000_000
        limit = None if size <= PAGE_MB else 0.0
        return [
            Result(
                f"audit of {STEPS:,} steps",
                audited,
                limit_seconds=STEPS / STEPS_A_SECOND,
                note=f"{STEPS / audited:,.0f} steps a second",
            ),
            Result("their replay written", written, limit_seconds=limit, note=f"{size:.1f} of {PAGE_MB} MB"),
            *_in_the_browser(page),
        ]


def _audit(log: Path) -> float:
    started = time.process_time()  # other work on the machine is none of ours
    audits, unusable = anygame.audit(sources.gather([log]), one_log.Library([], oracle_files.MODULE))
    assert len(audits) == 1
    assert not unusable
    return time.process_time() - started


def _in_the_browser(page: Path) -> list[Result]:
    if chromium.missing():
        return []
    with tempfile.TemporaryDirectory() as profile, chromium.running(Path(profile)) as browser:
        opened, steps = [], []
        for _ in range(_ROUNDS):
            with browser.page() as tab:
                started = time.perf_counter()
                tab.open(page.as_uri())
                assert tab.js(_READY)
                opened.append(time.perf_counter() - started)
                steps.append(tab.js(_STEPPING) / 1000)
                assert not tab.errors, tab.errors
    return [
        Result("it opens in the browser", min(opened), limit_seconds=OPEN_SECONDS),
        Result("a step in the browser", min(steps), limit_seconds=STEP_SECONDS),
    ]
