"""Who may ask, and what every answer carries."""

from __future__ import annotations

import pytest

from desk.guard import Address
from tests.desk.serving import FAULTY, Visitor

FILES = [(FAULTY.name, FAULTY.read_bytes())]


@pytest.mark.parametrize(
    "host", ["evil.example.org", "evil.example.org:{port}", "127.0.0.1", "127.0.0.1:1", "", "10.0.0.1:{port}"]
)
def test_a_name_that_is_not_this_servers_is_refused(desk: Visitor, host: str) -> None:
    """A page elsewhere may make its own name lead here (DNS rebinding)."""
    answer = desk.get("/", Host=host.format(port=desk.port))
    assert answer.status == 421
    assert b"token" not in answer.body


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.9.9.9"])
def test_every_name_of_this_machine_will_do(desk: Visitor, host: str) -> None:
    assert desk.get("/", Host=f"{host}:{desk.port}").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example.org"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "cross-site", "Origin": "null"},
    ],
)
def test_a_form_of_another_site_is_refused_though_it_had_the_token(
    desk: Visitor, headers: dict[str, str]
) -> None:
    assert desk.post("/examples/turn-with-faults", **headers).status == 403


@pytest.mark.parametrize(
    "headers", [{}, {"Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "same-origin", "Origin": "null"}]
)
def test_a_form_of_this_page_is_taken(desk: Visitor, headers: dict[str, str]) -> None:
    assert desk.post("/examples/turn-with-faults", **headers).status == 303


@pytest.mark.parametrize("token", ["", "wrong", "a" * 32, "%C3%A4"])
def test_a_form_without_the_token_of_this_run_is_refused(desk: Visitor, token: str) -> None:
    before = len(desk.left())
    assert desk.post("/examples/turn-with-faults", token).status == 403
    assert desk.post("/games/wfm/build", token).status == 403
    assert desk.send(FILES, token).status == 403
    assert len(desk.left()) == before


def test_another_site_cannot_show_or_read_parts_of_this_one(desk: Visitor) -> None:
    for kind in ("image", "script", "iframe", "empty"):
        answer = desk.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Dest=kind, Sec_Fetch_Mode="no-cors")
        assert answer.status == 403
    framed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "iframe", "Sec_Fetch_Mode": "navigate"}
    assert desk.get("/", **framed).status == 403
    assert desk.get("/", **framed | {"Sec_Fetch_Dest": "document"}).status == 200, "a link may lead here"


@pytest.mark.parametrize(
    "place", ["/", "/nothing", "/static/desk.js", "/games/wfm/rules", "/games/wfm/state"]
)
def test_every_answer_says_what_a_browser_may_do_with_it(desk: Visitor, place: str) -> None:
    headers = desk.get(place).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert "server" not in headers


def test_no_page_has_a_script_or_style_of_its_own(desk: Visitor) -> None:
    where, page = desk.check(FILES)
    for text in (page.text, desk.get("/").text, desk.get(f"{where}/map/0").text, desk.get("/games/wfm").text):
        assert "<style" not in text
        assert " style=" not in text
        assert " onclick=" not in text
        own = [f'<script src="/static/{name}.js" defer>' for name in ("desk", "serve")]
        assert text.count("<script") == sum(text.count(script) for script in own)


def test_the_report_runs_its_own_script_in_a_box(desk: Visitor) -> None:
    where, _ = desk.check(FILES)
    policy = desk.get(f"{where}/report/0").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy
    assert "sandbox allow-scripts allow-modals;" in policy
    assert "allow-same-origin" not in policy
    assert "frame-ancestors 'self'" in policy


def test_names_of_files_are_shown_as_text(desk: Visitor) -> None:
    name = "<img src=x onerror=alert(1)>.vlog"
    _, page = desk.check([(name, b"nothing")])
    assert "<img src=x" not in page.text
    assert "&lt;img src=x" in page.text


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:80", "localhost", "[::1]"])
def test_the_usual_port_need_not_be_named(host: str) -> None:
    assert Address("127.0.0.1", 80).is_own(host)
    assert not Address("127.0.0.1", 81).is_own(host)


@pytest.mark.parametrize(
    "host", ["[::1", "a@localhost:80", "localhost:80/x", "localhost:x", "local\thost", "::1"]
)
def test_a_host_that_is_none_is_not_ours(host: str) -> None:
    assert not Address("127.0.0.1", 80).is_own(host)


def test_one_who_serves_a_network_is_known_by_its_numbers_only() -> None:
    wide = Address("0.0.0.0", 80)
    assert wide.is_own("192.168.1.7:80")
    assert not wide.is_own("evil.example.org:80")
    assert not wide.only_here
    assert Address("127.0.0.1", 80).only_here
    assert not Address("127.0.0.1", 80).is_own("192.168.1.7:80")


def test_each_run_has_a_token_of_its_own_and_does_not_print_it() -> None:
    first, second = Address("127.0.0.1", 80), Address("127.0.0.1", 80)
    assert first.token != second.token
    assert first.token not in repr(first)


@pytest.mark.parametrize(("host", "url"), [("::1", "http://[::1]:80/"), ("0.0.0.0", "http://127.0.0.1:80/")])
def test_the_address_that_is_printed_can_be_opened(host: str, url: str) -> None:
    assert Address(host, 80).url == url
