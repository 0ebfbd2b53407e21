"""The ciphers and the sequence encoder, shown byte by byte."""

from __future__ import annotations

import lzma
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost.vassal import codec
from fieldpost.vassal.codec import CodecError

TRICKY = st.text(alphabet="ab\\';,\t/", max_size=12)
TOKENS = st.lists(TRICKY, min_size=1, max_size=6)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"!VCSK00414243", "ABC"),  # key 00: the bytes themselves
        (b"!VCSK5a1b1819", "ABC"),  # 41 ^ 5a = 1b
        (b"!VCSK5A1B1819", "ABC"),  # either case
        (b"!VCSKff3c56", "Ã©".encode("latin-1").decode("utf-8")),  # é = c3 a9
        (b"!VCSK5a", ""),
        (b"VOBS\x5a\x1b\x18\x19", "ABC"),  # the newest form: key and bytes raw
        (b"begin_save\x1bend_save", "begin_save\x1bend_save"),  # no cipher at all
    ],
)
def test_saved_game_reads_in_all_its_forms(data: bytes, text: str) -> None:
    assert codec.deobfuscate(data) == text


def test_packed_form_reads_and_has_a_limit() -> None:
    assert codec.deobfuscate(lzma.compress(b"begin_save")) == "begin_save"
    with pytest.raises(CodecError, match="too large"):
        codec.deobfuscate(lzma.compress(b"x" * (32 << 20)))
    with pytest.raises(CodecError):
        codec.deobfuscate(lzma.compress(b"begin_save")[:-8])


def test_cipher_is_written_in_lower_case_with_its_key() -> None:
    assert codec.obfuscate("ABC", 0x5A) == b"!VCSK5a1b1819"
    assert codec.obfuscate_raw("ABC", 0x5A) == b"VOBS\x5a\x1b\x18\x19"


@given(st.binary(max_size=60), st.integers(0, 255))
def test_any_bytes_survive_any_key(data: bytes, key: int) -> None:
    text = data.decode("utf-8", "surrogateescape")
    assert codec.deobfuscate(codec.obfuscate(text, key)) == text
    assert codec.deobfuscate(codec.obfuscate_raw(text, key)) == text


@pytest.mark.parametrize(
    ("data", "offset", "prefix"),
    [
        (b"!VCSK00414g4344", 9, "A"),  # 41 4g: the fault is in the second byte's pair
        (b"!VCSK004142zz", 11, "AB"),
        (b"!VCSK00414", 9, "A"),  # cut in the middle of a byte
        (b"!VCSKxx4142", 5, ""),
        (b"!VCSK+14142", 5, ""),
        (b"!VCSK", 5, ""),
        (b"VOBS", 4, ""),
    ],
)
def test_damage_is_reported_with_its_place_and_what_came_before(
    data: bytes, offset: int, prefix: str
) -> None:
    with pytest.raises(CodecError) as caught:
        codec.deobfuscate(data)
    assert (caught.value.offset, caught.value.prefix) == (offset, prefix)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ([""], ""),
        (["a", ""], "a;"),
        (["a", "b"], "a;b"),
        (["a;b", "c"], r"a\;b;c"),  # a delimiter inside gets one backslash
        ([r"a\b"], r"a\b"),  # a backslash alone gets none
        ([r"\a"], r"'\a'"),  # one at the front puts the token in quotes
        (["'a'"], "''a''"),
        (["'"], "'''"),
        (["'a"], "'a"),
    ],
)
def test_list_is_written_and_read(tokens: list[str], text: str) -> None:
    assert codec.encode(tokens, ";") == text
    assert codec.decode(text, ";") == tokens


def test_token_ending_in_a_backslash_swallows_its_delimiter_as_in_the_engine() -> None:
    assert codec.encode(["a\\", "b"], ";") == "a\\;b"
    assert codec.decode("a\\;b", ";") == ["a;b"]


@given(TOKENS)
def test_list_survives_unless_a_token_ends_in_a_backslash(tokens: list[str]) -> None:
    tokens = [token.rstrip("\\") for token in tokens]
    assert codec.decode(codec.encode(tokens, ";"), ";") == tokens


@given(TRICKY)
def test_head_is_the_first_token(text: str) -> None:
    assert codec.head(text, ";") == codec.decode(text, ";")[0]


def slow_nest(tokens: list[str]) -> str:
    text = tokens[-1]
    for token in reversed(tokens[:-1]):
        text = codec.encode([token, text], "\t")
    return text


def slow_unnest(text: str, depth: int | None) -> list[str]:
    tokens: list[str] = []
    while depth is None or len(tokens) < depth - 1:
        pair = codec.decode(text, "\t")
        if len(pair) == 1:
            return [*tokens, pair[0]]
        tokens.append(pair[0])
        text = pair[1]
    return [*tokens, text]


def test_backslashes_grow_with_the_level() -> None:
    assert codec.nest(["a", "b", "c", "d"]) == "a\tb\\\tc\\\\\td"
    assert codec.unnest("a\tb\\\tc\\\\\td") == ["a", "b", "c", "d"]
    assert codec.unnest("a\tb\\\tc", 2) == ["a", "b\tc"]


@given(TOKENS)
def test_nesting_at_one_go_equals_nesting_level_by_level(tokens: list[str]) -> None:
    assert codec.nest(tokens) == slow_nest(tokens)


@given(TRICKY | TOKENS.map(slow_nest), st.sampled_from([None, 1, 2, 3, 5]))
def test_unnesting_at_one_go_equals_unnesting_level_by_level(text: str, depth: int | None) -> None:
    assert codec.unnest(text, depth) == slow_unnest(text, depth)


def test_nesting_of_2000_levels_needs_no_recursion() -> None:
    tokens = [f"t{level}" for level in range(2000)]
    assert codec.unnest(codec.nest(tokens)) == tokens


def test_nesting_beyond_the_limit_is_an_error_and_not_a_hang() -> None:
    tokens = ["a"] * (codec.MAX_NESTING + 2)
    with pytest.raises(codec.NestingError):
        codec.unnest(codec.nest(tokens))


def test_a_text_packed_before_it_was_ciphered_is_read_and_written_back() -> None:
    data = codec.obfuscate_deflated("begin_save\x1bend_save", 0x3C)
    assert data.startswith(b"!VCSZ3c")
    assert codec.deobfuscate(data) == "begin_save\x1bend_save"
    assert codec.written_as(data, "begin_save") == codec.obfuscate_deflated("begin_save", 0x3C)


@pytest.mark.parametrize("damage", [lambda data: data[:-8], lambda data: data[:20] + b"zz" + data[22:]])
def test_a_damaged_packed_text_is_told(damage: Callable[[bytes], bytes]) -> None:
    with pytest.raises(codec.CodecError):
        codec.deobfuscate(damage(codec.obfuscate_deflated("begin_save" * 50)))
