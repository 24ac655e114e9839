"""Printing data."""

import json
import logging
import sys
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from core.cli.output import Complaints, complain, print_item, print_json, print_table, say


def test_json_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed is read back equal."""
    print_json({"a": [1, None, "ü"]})
    assert json.loads(capsys.readouterr().out) == {"a": [1, None, "ü"]}


def test_json_is_utf_8_whatever_the_code_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs read no other; what was said before comes before."""
    out = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(out, "cp1252", errors="replace"))
    say("before")
    print_json("łódź")
    sys.stdout.flush()
    assert out.getvalue().splitlines() == [b"before", '"łódź"'.encode()]


def test_json_is_written_where_no_bytes_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever embeds the command line may collect letters."""
    out = StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    print_json("łódź")
    assert out.getvalue() == '"łódź"\n'


def test_a_table_shows_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Square brackets are text and no styling."""
    print_table(["task", "answer"], [("gcd", "[red]7[/red]")])
    assert "[red]7[/red]" in capsys.readouterr().out


def test_a_narrow_terminal_cuts_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not fit goes on in the next line, and every column is there."""
    monkeypatch.setenv("COLUMNS", "24")
    row = ("A" * 20, "B" * 20, "C" * 20)
    print_table(["a", "b", "c"], [row])
    told = capsys.readouterr().out
    assert [told.count(letter) for letter in "ABC"] == [20, 20, 20]
    assert max(map(len, told.splitlines())) <= 24


TRICK = "free\x1b[2J \u202ekcatta"
SHOWN = "free\\u001b[2J \\u202ekcatta"


def test_nothing_that_is_printed_plays_tricks(capsys: pytest.CaptureFixture[str]) -> None:
    """A terminal neither obeys it nor turns it around."""
    for write in (say, complain, lambda text: print_item("name", text)):
        write(TRICK)
        told = capsys.readouterr()
        assert SHOWN in told.out + told.err
    print_table(["swarm"], [(TRICK,)])
    assert SHOWN in capsys.readouterr().out
    print_json({"swarm": TRICK})
    told = capsys.readouterr()
    assert json.loads(told.out) == {"swarm": TRICK}
    assert told.out.isascii()


def test_a_warning_is_said_as_anything_else(capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, cut, of a traceback its last one only; what is less is not said."""
    logger, handler = logging.getLogger("core.test_output"), Complaints()
    logger.addHandler(handler)
    logger.info("well")
    logger.warning("odd: %s", TRICK + "x" * 10**6, exc_info=ValueError("where\n" * 10**6))
    logger.removeHandler(handler)
    said = capsys.readouterr().err
    assert said.startswith(f"waggle: odd: {SHOWN}")
    assert (said.count("\n"), ": ValueError: where" in said) == (1, True)
    assert len(said) < 1200


@pytest.mark.parametrize("values", [("one", "too many"), ("one",)])
def test_a_warning_that_cannot_be_said_harms_nobody(
    monkeypatch: pytest.MonkeyPatch, values: tuple[str, ...]
) -> None:
    """Neither one that is wrong itself nor one that nobody reads any more."""
    closed = StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    logger, handler = logging.getLogger("core.test_output"), Complaints()
    monkeypatch.setattr(logger, "propagate", False)  # pytest's own handler raises
    logger.addHandler(handler)
    logger.warning("odd: %s", *values)
    logger.removeHandler(handler)


def test_a_line_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is added but the end of the line."""
    say("hello")
    assert capsys.readouterr().out == "hello\n"


def test_an_item_is_wrapped_behind_its_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is lost, no line is longer than the terminal, and the next ones are set in."""
    monkeypatch.setenv("COLUMNS", "20")
    print_item("spark", "the smallest model of all of them")
    first, *others = capsys.readouterr().out.splitlines()
    assert first == "spark: the smallest"
    assert [line.strip() for line in others] == ["model of all of", "them"]
    assert all(line.startswith("    ") for line in others)
