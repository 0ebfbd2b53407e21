"""The desk as a static site, in Chromium and Firefox, from a plain file server."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from fieldpost.errors import FieldpostError
from tests import lacks, oracle_files
from tests.browser import chromium, firefox, site
from tests.browser.chromium import Browser, Page
from tests.browser.site import Host, Tab, check, data, until
from tests.desk.serving import FAULTY, FAULTY_LOGS, LOGS
from tests.places import REPOSITORY

TRANSFER_BYTES = 12 << 20
READY = "document.querySelector('#loading [role=status]')?.textContent === 'Ready.'"
pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("site")]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built once; FIELDPOST_TEST_SITE names one that is there already."""
    from desk.site import building, fetching

    if known := os.environ.get("FIELDPOST_TEST_SITE"):
        return Path(known)
    folder = tmp_path_factory.mktemp("site") / "site"
    try:
        for package in fetching.packages():
            fetching.archive(package.id)
    except FieldpostError as error:
        lacks.skip(lacks.SITE, error.message)
    building.build(folder, lambda text: None, group=True)
    return folder


@pytest.fixture(scope="session")
def host(built: Path) -> Iterator[Host]:
    with site.hosted(built) as running:
        yield running


@pytest.fixture(scope="session")
def visit(browser: Browser, host: Host) -> Iterator[Page]:
    """One tab for all checks: Python starts once."""
    with browser.page() as page:
        page.size(1400, 900)
        page.open(host.url)
        until(page, READY)
        yield page
        assert page.errors == []


@pytest.fixture(scope="session")
def fox(host: Host, tmp_path_factory: pytest.TempPathFactory) -> Iterator[firefox.Tab]:
    lacks.unless(lacks.FIREFOX, firefox.missing())
    with firefox.running(tmp_path_factory.mktemp("firefox")) as tab:
        tab.open(host.url)
        until(tab, READY)
        yield tab


def says(*arguments: str | Path) -> str:
    """What the command line prints."""
    command = [sys.executable, "-m", "fieldpost", *map(str, arguments)]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False).stdout


def named(path: Path) -> tuple[str, bytes]:
    return path.name, path.read_bytes()


def mail(path: Path) -> Path:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Turn 22", "a@example.org", "b@example.org"
    message.set_content("Here it is.")
    log = LOGS[0]
    message.add_attachment(log.read_bytes(), maintype="application", subtype="zip", filename=log.name)
    path.write_bytes(bytes(message))
    return path


# --- the same as the command line ----------------------------------------------------------------


def judged_alike(tab: Tab, tmp_path: Path) -> None:
    assert check(tab, [named(LOGS[0])]) == "Nothing illegal"
    assert data(tab) == says("check", LOGS[0], "--json")
    assert check(tab, [named(FAULTY)]) == "Not legal as played"
    assert data(tab) == says("check", FAULTY, "--json")
    letter = mail(tmp_path / "turn.eml")
    assert check(tab, [named(letter)]) == "Nothing illegal"
    assert data(tab) == says("check", letter, "--json")


def test_a_log_a_sheet_and_a_mail_are_judged_as_by_the_command_line(visit: Page, tmp_path: Path) -> None:
    judged_alike(visit, tmp_path)


def test_firefox_judges_them_too(fox: firefox.Tab, host: Host, tmp_path: Path) -> None:
    judged_alike(fox, tmp_path)
    assert [
        error for error in fox.errors if "downloadable font" not in error
    ] == []  # it drops a table of kerns
    assert [url for url in fox.requests if not url.startswith((host.url, "blob:", "data:"))] == []


def test_a_whole_game_is_audited_as_by_the_command_line(visit: Page, tmp_path: Path) -> None:
    folder = shutil.copytree(
        FAULTY_LOGS[0].parent, tmp_path / "dropped", ignore=shutil.ignore_patterns("*.json")
    )
    assert check(visit, map(named, [*FAULTY_LOGS, folder / "game.txt"])) == "Not legal as played"
    assert data(visit) == says("audit", folder, "--json")


def test_a_game_of_lwe_is_judged_as_by_the_command_line(visit: Page, tmp_path: Path) -> None:
    sheet = tmp_path / "played.txt"
    command = [sys.executable, "-m", "players", "lwe", "army-group-centre", "1"]
    sheet.write_bytes(subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=True).stdout)
    check(visit, [named(sheet)])
    assert data(visit) == says("check", sheet, "--json")


def test_a_bomb_is_refused_and_the_next_check_works(visit: Page) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", bytes(200 << 20))
    assert check(visit, [("bomb.vlog", bomb.getvalue())]) == "Could not be checked"
    assert check(visit, [named(FAULTY)]) == "Not legal as played"


# --- what a visitor does -------------------------------------------------------------------------


def test_a_typed_sheet_is_marked_where_it_cannot_be_read(visit: Page) -> None:
    visit.js("location.hash = ''")
    until(visit, "document.querySelector('#sheet-text')")
    visit.js("document.querySelector('#sheet').open = true")
    text = "game wfm turning-point\\nturn 22 axis-move\\nmove 57PzX 4717-4716\\n"
    visit.js(
        f"(() => {{ const paper = document.querySelector('#sheet-text'); paper.value = '{text}';"
        "paper.dispatchEvent(new Event('input')); })()"
    )
    until(visit, "document.querySelector('#sheet-problems li')")
    assert "Line 3 there is no unit '57PzX'. Did you mean '57PzK'?" in visit.text("#sheet-problems")


def test_the_replay_answers_questions(visit: Page, browser: Browser) -> None:
    check(visit, [named(FAULTY)])
    visit.js("location.hash = 'map/0/step=1'")
    until(visit, "document.querySelector('#replay')")
    with browser.frame() as frame:
        until(frame, "document.body.classList.contains('at-desk')")
        assert frame.text("#count") == "1 / 8"
        unit = "E4610"
        frame.js("document.querySelector('#tab-pieces').click()")
        frame.js(f"[...document.querySelectorAll('[data-hex]')].find(b => b.innerText === '{unit}').click()")
        until(frame, "document.querySelector('.ask')")
        frame.js("document.querySelector('.ask').click()")
        until(frame, "document.querySelector('#answer .may')")
        assert "supplied" in frame.text("#answer")
        assert frame.count(".overlay .reach") > 0
        frame.js("document.querySelector('.may input').value = '4510'")
        frame.js("document.querySelector('.may button').click()")
        until(frame, "document.querySelector('.may-answer.illegal')")
        assert "E4510 holds enemy units" in frame.text(".may-answer")
        frame.js("document.querySelector('#on').click()")
        assert frame.js("document.querySelector('#answer').hidden")
    until(visit, "location.hash === '#map/0/step=2'")


def replayed_with_pictures(tab: Tab) -> None:
    files = [named(oracle_files.FOLDER / "oracle.vlog"), named(oracle_files.MODULE)]
    assert check(tab, files) == "Not judged: the rules are not known"
    page = str(tab.js("replay(0)"))
    assert "dropped:" not in page
    assert page.count('"data:image/') > 3


def test_a_log_of_any_module_is_replayed_with_the_pictures_of_the_module(
    visit: Page, browser: Browser
) -> None:
    replayed_with_pictures(visit)
    visit.js("location.hash = 'map/0'")
    until(visit, "document.querySelector('#replay')")
    with browser.frame() as frame:
        until(frame, "document.querySelector('#count')?.textContent.startsWith('step 0')")
        decoded = "Promise.all(JSON.parse(film.textContent).images.map((uri) => { const one = new Image();"
        assert frame.js(decoded + "one.src = uri; return one.decode(); })).then(() => true)")


def test_firefox_puts_the_pictures_in_too(fox: firefox.Tab) -> None:
    replayed_with_pictures(fox)


def test_nothing_is_asked_of_anybody_else(visit: Page, host: Host) -> None:
    own = (host.url, f"blob:{host.url}", "data:")
    assert [url for url in visit.requests if not url.startswith(own)] == []


def test_pages_may_ask_for_nothing_but_files_of_the_site(visit: Page) -> None:
    refused = visit.js("fetch('https://example.org/').then(() => 'answered', () => 'refused')")
    assert refused == "refused"
    asked = "fetch('https://example.org/').then(() => 'answered', () => 'refused')"
    worker = (
        "new Promise(done => { const source = `" + asked + ".then(told => postMessage(told))`;"
        "const worker = new Worker(URL.createObjectURL(new Blob([source])));"
        "worker.onmessage = ({ data }) => done(data); })"
    )
    assert visit.js(worker) == "refused"
    visit.errors.clear()  # the browser's own notes of what it refused


# --- transfer, and without a network -------------------------------------------------------------


def test_the_second_visit_needs_no_network(built: Path, tmp_path: Path) -> None:
    with site.hosted(built) as own, chromium.running(tmp_path) as browser:
        with browser.page() as page:
            page.open(own.url)
            until(page, READY)
            assert check(page, [named(FAULTY)]) == "Not legal as played"
            first = dict(own.given)
            kept = "caches.keys().then(k => caches.open(k[0])).then(c => c.keys()).then(all => all.length)"
            listed = json.loads((built / "site.json").read_text())
            most = len([name for name in listed if not name.endswith((".vmod", "sw.js"))])
            _until_kept(page, kept, most)
        assert _before_first_verdict(first) < TRANSFER_BYTES
        own.stop()
        with browser.page() as page:
            page.open(own.url)
            until(page, READY)
            assert check(page, [named(LOGS[0])]) == "Nothing illegal"
            page.js("location.hash = 'map/0'")
            until(page, "document.querySelector('#replay')")
            page.open(f"{own.url}rules-wfm.html")
            assert page.count(".rule") > 200


def _until_kept(page: Page, kept: str, most: int) -> None:
    import time

    end = time.monotonic() + site.SECONDS
    while int(page.js(kept)) < most:
        assert time.monotonic() < end, "not everything was kept"
        time.sleep(0.2)


def _before_first_verdict(given: dict[str, int]) -> int:
    needed = (
        "/index.html",
        "/desk.",
        "/site.js",
        "/worker.js",
        "/python/",
        "/serif",
        "/condensed",
        "/emblem.svg",
    )
    return sum(size for path, size in given.items() if path == "/" or path.startswith(needed))


def test_a_folder_that_is_no_site_is_left_alone(tmp_path: Path) -> None:
    from desk.site import building

    (tmp_path / "letters.txt").write_text("mine")
    with pytest.raises(FieldpostError, match="no site of ours"):
        building.build(tmp_path, lambda text: None)
    assert (tmp_path / "letters.txt").read_text() == "mine"
