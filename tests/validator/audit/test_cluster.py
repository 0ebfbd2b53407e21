"""The same audit on a real Dask cluster of two processes: the same lines, whatever happens to a worker."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest

from fieldpost.errors import FieldpostError
from tests.fieldpost.commands.running import run
from tests.validator.audit import mailed
from tests.validator.audit.mailed import OTHER_SEED
from validator.audit import batch
from validator.audit.engines import Failed
from validator.audit.engines.cluster import Cluster
from validator.services.turnfile import Wanted

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with distributed.LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("league")
    for name, logs in (("anna-bert", mailed.whole()[:3]), ("carl-dora", mailed.whole(OTHER_SEED)[:3])):
        (folder / name).mkdir()
        for log in logs:
            (folder / name / log.name).write_bytes(log.data)
    mailed.in_mbox(folder / "ever.mbox", list(mailed.forked(3)))
    (folder / "noise.vlog").write_bytes(b"PK\x03\x04 no zip at all")
    return folder


def test_a_cluster_writes_the_lines_that_one_process_writes(
    address: str, league: Path, tmp_path: Path, capsys: Capture
) -> None:
    ways: dict[str, list[object]] = {
        "here": ["--jobs", 0],
        "pool": ["--jobs", 2],
        "dask": ["--cluster", address],
    }
    told, written = [], []
    for name, options in ways.items():
        out = tmp_path / f"{name}.jsonl"
        done = run(capsys, "audit", league, *options, "--out", out)
        told.append((done.status, done.out))
        written.append(sorted(out.read_bytes().splitlines(keepends=True)))
    assert written[1:] == written[:1] * 2
    assert told[1:] == told[:1] * 2
    assert sorted(json.loads(line)["verdict"] for line in written[0]) == ["illegal", "legal"]


def test_paths_are_sent_whole(
    address: str, league: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers were started in another folder."""
    monkeypatch.chdir(league)
    done = run(capsys, "audit", "anna-bert", "--cluster", address)
    assert (done.status, done.out.splitlines()[-1]) == (0, "1 game, 3 logs: 1 legal")


def test_a_worker_of_another_version_does_not_judge(address: str, league: Path) -> None:
    cluster = Cluster(address, 60)
    settings = batch.Settings(Wanted())
    groups, _ = batch.find_games([league / "anna-bert"], settings, cluster)
    work = batch.Judge("key", "0.0.9+older", groups[0], settings)
    [(_, found)] = cluster.map(batch.judge, [work])
    cluster.close()
    assert isinstance(found, Failed)
    assert "another version" in found.why


def spoil(work: str) -> str:
    if work == "crash":
        os._exit(1)
    if work == "stuck":
        time.sleep(25)
    while work == "loop":
        time.sleep(0.01)
    return work.upper()


@pytest.mark.parametrize(
    ("spoiled", "seconds", "why"),
    [
        ("crash", 60, "ended its process"),
        ("loop", 6, "took longer than 6 seconds"),
    ],
)
def test_work_that_spoils_its_worker_stops_nothing(
    spoiled: str, seconds: float, why: str, address: str
) -> None:
    cluster = Cluster(address, seconds)
    found: dict[str, Any] = dict(cluster.map(spoil, ["a", spoiled, "b", "c", "d"]))
    cluster.close()
    assert {work: result.why for work, result in found.items() if isinstance(result, Failed)} == {
        spoiled: why
    }
    assert {found[work] for work in "abcd"} == set("ABCD")


def test_where_no_cluster_answers_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("validator.audit.engines.cluster.CONNECT_SECONDS", 1)
    with pytest.raises(FieldpostError, match="no cluster answers"):
        Cluster("tcp://127.0.0.1:9", 60)


def test_without_dask_it_is_said_what_to_install(
    league: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    done = run(capsys, "audit", league, "--cluster", "tcp://127.0.0.1:9")
    assert done.status == 2
    assert "pip install 'fieldpost[cluster]'" in done.err


def test_work_that_nothing_stops_is_given_up(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Last here, as it keeps the workers busy."""
    monkeypatch.setattr("validator.audit.engines.cluster.GRACE_SECONDS", 0.0)
    cluster = Cluster(address, 1)
    [(_, found)] = cluster.map(spoil, ["stuck"])
    cluster.close()
    assert isinstance(found, Failed)
    assert found.why == "took longer than 1 seconds"
