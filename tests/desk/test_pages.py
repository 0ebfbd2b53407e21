"""The pages as somebody without a script sees them."""

from __future__ import annotations

import io
import mailbox
import re
import time
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from fieldpost.vassal import steps
from fieldpost.vassal.writer import LogBuilder
from tests.desk.serving import EXAMPLES, FAULTY, FAULTY_LOGS, LOGS, Visitor
from tests.processes import PATIENCE

PLACES = ("/", "/games/wfm", "/games/lwe", "/games/ftm", "/games/wfm/rules", "/games/wie/rules")


def named(paths: list[Path]) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in paths]


def test_the_first_page_offers_files_examples_and_games(desk: Visitor) -> None:
    page = desk.get("/")
    assert page.status == 200
    assert 'type="file"' in page.text
    assert "War for the Motherland" in page.words
    assert page.text.count('action="/examples/') == 3


@pytest.mark.parametrize("place", PLACES)
def test_every_page_has_a_title_a_heading_a_language_and_a_way_past_the_menu(
    desk: Visitor, place: str
) -> None:
    page = desk.get(place).text
    assert re.search(r"<title>.*\w.*</title>", page)
    assert page.count("<h1>") == 1
    assert '<html lang="en">' in page
    assert 'href="#main"' in page


@pytest.mark.parametrize("place", PLACES)
def test_every_link_of_a_page_leads_somewhere(desk: Visitor, place: str) -> None:
    page = desk.get(place).text
    links = {link.partition("#")[0] for link in re.findall(r'(?:href|src)="(/[^"]*)"', page)}
    assert {link: status for link in links if (status := desk.get(link).status) != 200} == {}


def test_a_legal_turn(desk: Visitor) -> None:
    where, page = desk.check(named(LOGS[:1]))
    assert "Nothing illegal" in page.words
    assert LOGS[0].name in page.words
    assert desk.get(f"{where}/report/0").status == 200


def test_a_turn_with_faults_names_each_with_its_rule_and_remedy(desk: Visitor) -> None:
    _, page = desk.check(named([FAULTY]))
    assert "Not legal as played" in page.words
    assert re.findall(r"<code>(wfm-[\w.]+)</code>", page.text) == ["wfm-4.27", "wfm-4.26b", "wfm-8.1a"]
    assert "11AK: 7 MP needed, 4 available" in page.words
    assert page.words.count("Remedy") == 2  # with the findings, and in the reply
    assert "line 8" in page.words


def test_each_finding_leads_to_its_own_place_in_the_report(desk: Visitor) -> None:
    where, page = desk.check(named(FAULTY_LOGS))
    report = desk.get(f"{where}/report/0").text
    listed = re.findall(
        r'<code>([\w.-]+)</code>(?:(?!</li>\s*<li class="finding).)*?finding=(\d+)"', page.text, re.DOTALL
    )
    assert len(listed) >= 40  # what was planted, and what is doubtful besides
    for rule, number in listed:
        row = re.search(rf'id="finding-{int(number) - 1}"[^>]*data-rule="([^"]+)"', report)
        assert row
        assert row[1] == rule


def test_the_place_of_a_finding_reaches_the_frame(desk: Visitor) -> None:
    where, _ = desk.check(named([FAULTY]))
    assert f'src="{where}/report/0#finding=2"' in desk.get(f"{where}/map/0?finding=2").text
    assert f'src="{where}/report/0"' in desk.get(f'{where}/map/0?finding="><script>').text


def test_a_whole_game_in_any_order(desk: Visitor) -> None:
    _, page = desk.check(named(list(reversed(LOGS))))
    assert "Nothing illegal" in page.words
    assert "Each log starts where the one before ended." in page.words
    rows = re.findall(r'<th scope="row">(.*?)</th>', page.text)
    assert rows == [log.name for log in LOGS]


def test_two_games_have_one_head_that_is_as_bad_as_the_worse(desk: Visitor) -> None:
    """Nothing above the fault is green, and the tab says it too."""
    typed = ("other.txt", b"game lwe campaign\nturn 1 german-move\n")
    _, page = desk.check([typed, *named(FAULTY_LOGS)])
    assert "2 games in what was dropped" in page.words
    first = re.search(r'<section class="banner (\w+)">', page.text)
    assert first
    assert first[1] == "illegal"
    assert re.findall(r"<h1>(.*?)</h1>", page.text) == ["Not legal as played"]
    assert "<title>Not legal as played" in page.text


def test_a_gap_in_a_game_is_told(desk: Visitor) -> None:
    _, page = desk.check(named([*LOGS[:3], *LOGS[4:]]))
    assert "The logs do not hang together" in page.words
    assert f"a log is missing between {LOGS[2].name}" in page.words


def test_a_zip_of_logs(desk: Visitor) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for log in LOGS[:2]:
            archive.write(log, log.name)
    _, page = desk.check([("our game.zip", data.getvalue())])
    assert "Nothing illegal" in page.words
    assert LOGS[1].name in page.words


def message(log: Path) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "player@example.org"
    mail["Subject"] = "your turn"
    mail.set_content("Here it is.")
    mail.add_attachment(log.read_bytes(), maintype="application", subtype="zip", filename=log.name)
    return mail


def test_a_mail_and_a_mailbox(desk: Visitor, tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "game.mbox")
    for log in LOGS[1:3]:
        box.add(message(log))
    box.close()
    files = [("turn.eml", message(LOGS[0]).as_bytes()), ("game.mbox", (tmp_path / "game.mbox").read_bytes())]
    _, page = desk.check(files)
    assert "Nothing illegal" in page.words
    assert all(log.name in page.words for log in LOGS[:3])
    assert "example.org" not in page.text


def test_a_file_that_is_no_log_says_so_and_what_to_do(desk: Visitor) -> None:
    _, page = desk.check([("holiday.jpg", b"\xff\xd8\xff\xe0 a picture")])
    assert "Could not be checked" in page.words
    assert "holiday.jpg" in page.words
    assert "its name ends in .vlog" in page.words


def test_a_log_that_is_cut_short_is_read_as_far_as_it_goes(desk: Visitor) -> None:
    data = LOGS[0].read_bytes()
    _, page = desk.check([("cut.vlog", data[: len(data) * 2 // 3])])
    assert "Nothing illegal" not in page.words
    assert "cut.vlog" in page.words


def test_good_files_beside_bad_ones_are_still_checked(desk: Visitor) -> None:
    _, page = desk.check([("broken.vlog", b"PK\x03\x04 no zip"), *named(LOGS[:1])])
    assert "Nothing illegal" in page.words
    assert "1 file could not be used" in page.words
    assert "broken.vlog" in page.words


def test_the_game_may_be_chosen_where_the_file_does_not_say_it(desk: Visitor) -> None:
    foreign = (EXAMPLES.parent / "tests" / "data" / "vassal" / "oracle.vlog").read_bytes()
    _, page = desk.check([("oracle.vlog", foreign)])
    assert "The rules of this game are not known" in page.words
    assert "Not judged: the rules are not known" in page.words
    assert 'class="banner judgement"' in page.text
    assert 'class="banner legal"' not in page.text
    _, page = desk.check([("oracle.vlog", foreign)], game="wfm/turning-point")
    assert "The rules of this game are not known" not in page.words


def test_a_log_of_any_module_is_replayed_on_the_boards_of_the_module_sent_along(desk: Visitor) -> None:
    folder = EXAMPLES.parent / "tests" / "data" / "vassal"
    files = [(name, (folder / name).read_bytes()) for name in ("oracle.vlog", "demo.vmod")]
    where = desk.send(files).json["where"]
    assert desk.get(where).status == 200  # the page that says how far it is
    assert {"state", "doing", "share"} <= desk.get(f"{where}/state").json.keys()
    page = desk.wait(where)
    assert "Oracle Demo: one log, read to its end" in page.words
    assert "3rd Blue moves from 0305 to 0504." in page.words
    assert "Send its module" not in page.words


def test_the_policy_is_in_the_remedy(desk: Visitor) -> None:
    _, page = desk.check(named([FAULTY]), policy="referee")
    assert "the referee decides" in page.words


def test_what_happened_is_told_by_turns(desk: Visitor) -> None:
    _, page = desk.check(named(LOGS))
    assert re.findall(r"<summary>(Turn \d+): ", page.text) == ["Turn 22", "Turn 23", "Turn 24"]
    assert "The 6th Army (5-7) attacked Rumanian I Corps" in page.words


def test_a_reply_to_paste_is_offered(desk: Visitor) -> None:
    _, page = desk.check(named([FAULTY]))
    assert "faulty-turn.txt is not legal as played: 3 faults in 8 actions." in page.words
    assert "data-copy=" in page.text


def test_the_verdict_and_the_report_can_be_saved(desk: Visitor) -> None:
    where, _ = desk.check(named([FAULTY]))
    text, report = desk.get(f"{where}/text"), desk.get(f"{where}/report/0?save")
    assert "3 illegal" in text.text
    assert 'filename="verdict.txt"' in text.headers["content-disposition"]
    assert 'filename="report.html"' in report.headers["content-disposition"]


def test_the_next_turn_can_be_planned_from_where_a_log_ends(desk: Visitor, tmp_path: Path) -> None:
    where, _ = desk.check(named([LOGS[0]]))
    start = desk.get(f"{where}/start/0")
    assert 'filename="next-turn.txt"' in start.headers["content-disposition"]
    planned = tmp_path / "next-turn.txt"
    planned.write_text(start.text + "move 9A 6507-6607\n")
    _, page = desk.check(named([planned]))
    assert "in 1 action" in page.words


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("turn-with-faults", "3 illegal in 8 actions"),
        ("game", "Nothing illegal"),
        ("game-with-faults", "40 illegal"),
    ],
)
def test_an_example_is_checked_by_a_plain_button(desk: Visitor, name: str, said: str) -> None:
    answer = desk.post(f"/examples/{name}")
    assert answer.status == 303
    assert said in desk.wait(answer.headers["location"]).words


def test_a_plain_form_leads_to_the_result(desk: Visitor) -> None:
    """What a browser without a script does: send, follow, look again until it is done."""
    from tests.desk.serving import BOUNDARY, multipart

    body = multipart(named([FAULTY]), {"token": desk.token})
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    answer = desk.ask("POST", "/check", body, Content_Type=kind)
    assert answer.status == 303
    assert "Not legal" in desk.wait(answer.headers["location"]).words


def test_a_form_without_a_file_says_so(desk: Visitor) -> None:
    answer = desk.send([("", b"")])
    assert answer.status == 400
    assert answer.json["error"] == "No file was chosen."


def test_a_result_is_gone_when_its_owner_deletes_it(desk: Visitor) -> None:
    where, _ = desk.check(named([FAULTY]))
    assert desk.post(f"{where}/forget").status == 303
    for place in (where, f"{where}/state", f"{where}/report/0", f"{where}/text"):
        assert desk.get(place).status == 404
    assert "Send the files again" in desk.get(where).words


def test_what_was_sent_is_not_kept(desk: Visitor) -> None:
    where, _ = desk.check(named(LOGS[:1]))
    (folder,) = [path for path in desk.left() if path.name == where.rpartition("/")[2]]
    assert sorted(path.name for path in folder.iterdir()) == [
        "outcome.json",
        "played-0",
        "report-0.html",
        "start-0.txt",
        "verdict.json",
        "verdict.txt",
    ]


def test_no_page_of_a_result_shows_a_password(desk: Visitor, tmp_path: Path) -> None:
    played = LogBuilder(steps.read(LOGS[0]), player="sesame-ann")
    played.add("PLAYER\tsesame-ann\tAnn Player\tAxis", "PLAYER\tsesame-bob\tBob Other\tSoviet")
    played.say("Ann Player", "mail me at ann@mail.example.org, password sesame-bob")
    played.roll("combat", "3 (sesame-bob)", "Ann Player")
    played.write(tmp_path / "turn.vlog")
    where, page = desk.check([("turn.vlog", (tmp_path / "turn.vlog").read_bytes())])
    shown = page.text + desk.get(f"{where}/text").text + desk.get(f"{where}/report/0").text
    assert "roll" in shown
    assert len(shown) > 100_000
    assert not any(secret in shown for secret in ("sesame", "ann@mail.example.org"))


def test_rules_are_listed_by_how_they_are_decided(desk: Visitor) -> None:
    everything, some = desk.get("/games/wfm/rules"), desk.get("/games/wfm/rules?status=not-checkable")
    assert "wfm-4.26b" in everything.words
    assert 0 < some.text.count('class="rule"') < everything.text.count('class="rule"')
    assert "wfm-4.26b" not in some.words
    assert desk.get("/games/wfm/rules?status=<b>").text.count('class="rule"') == everything.text.count(
        'class="rule"'
    )


def test_a_game_tells_its_scenarios_and_why_one_cannot_be_played(desk: Visitor) -> None:
    page = desk.get("/games/wfm")
    assert "Turning Point" in page.words
    assert "Not playable yet" in page.words


@pytest.mark.parametrize(
    "place", ["/nothing", "/games/chess", "/results/none", "/static/../app.py", "/static/x"]
)
def test_what_is_not_there_is_told_in_plain_words(desk: Visitor, place: str) -> None:
    page = desk.get(place)
    assert page.status == 404
    assert "Go to the first page" in page.text


def test_a_module_is_made_on_demand_and_its_map_is_in_later_reports(desk: Visitor) -> None:
    assert "Build the module" in desk.get("/games/wfm").words
    assert desk.get("/games/wfm/module").status == 404
    where, _ = desk.check(named([FAULTY]))
    assert 'class="ground"' not in desk.get(f"{where}/report/0").text
    assert desk.post("/games/wfm/build").status == 303
    end = time.monotonic() + PATIENCE
    while desk.get("/games/wfm/state").json["state"] != "done":
        assert time.monotonic() < end
        time.sleep(0.2)
    module, picture = desk.get("/games/wfm/module"), desk.get("/games/wfm/map.webp")
    assert "buildFile.xml" in zipfile.ZipFile(io.BytesIO(module.body)).namelist()
    assert 'filename="wfm-' in module.headers["content-disposition"]
    assert picture.body[8:12] == b"WEBP"
    assert "Download wfm-" in desk.get("/games/wfm").words
    where, _ = desk.check(named([FAULTY]))
    assert 'class="ground"' in desk.get(f"{where}/report/0").text


def test_a_game_that_nobody_knows_has_no_module(desk: Visitor) -> None:
    assert desk.get("/games/chess").status == 404
    assert desk.post("/games/chess/build").status == 404
    assert desk.get("/games/chess/module").status == 404
