"""A side's money, line by line."""

from __future__ import annotations

from validator.core.ledger import Ledger, ledger_text


def test_the_balance_is_what_was_carried_and_all_that_was_booked() -> None:
    book = Ledger(3)
    book.book("income", 62)
    book.book("debt", -8)
    book.book("purchases", -12)
    book.book("purchases", -28)
    assert book.balance == 17
    assert book.total("purchases") == 40
    assert ledger_text(book, ("debt",)) == "carried 3, debt -8, income 62, purchases -40: 17 left"


def test_nobody_knows_a_sum_whose_beginning_is_unknown() -> None:
    book = Ledger(None)
    book.book("income", 62)
    assert book.balance is None
    assert ledger_text(book) == "income 62"
    assert ledger_text(Ledger(None)) == "nothing booked"
