"""What ``waggle join`` and services show of their work."""

import errno
import io
import json
import os
import re
import sys

import pytest
from msgspec.structs import replace
from rich.console import Console

from core.api.events import Point, Started, Stopped, SwarmChanged, warning
from core.api.models import ModelProgress
from core.api.requests import Done
from core.cli.progress import JsonLines, ProgressDisplay, counted, sparkline, watched
from tests.fakes import finished
from tests.unread_pipe import UnreadPipe

STARTED = Started(model="spark", round=0, peer="ab", name="amber-finch-27", solo=False)


def test_json_lines_are_one_event_each() -> None:
    """Every line parses by itself."""
    out = io.BytesIO()
    with JsonLines(out) as display:
        display.show(STARTED)
        display.show(finished(1, 0.5))
    kinds = [json.loads(line)["type"] for line in out.getvalue().splitlines()]
    assert kinds == ["started", "round_finished"]


def test_a_person_is_told_what_was_learnt() -> None:
    """Name, model, the swarm's state, and at the end the one sentence stay on the screen."""
    out = io.StringIO()
    console = Console(file=out, width=100, force_terminal=False)
    with ProgressDisplay(70, console) as display:
        display.show(STARTED)
        display.show(SwarmChanged(reachable=True, peers=0, words="Nobody else is here yet."))
        for number in range(1, 71):
            display.show(finished(number, 0.1 if number < 35 else 0.4))
        display.show(Stopped(round=70))
    text = out.getvalue()
    assert "amber-finch-27 practises with the model spark." in text
    assert "Nobody else is here yet." in text
    assert "Your model solves 40 % of all puzzles." in text
    assert "waggle exam --model spark" in text


def test_what_others_taught_is_told_at_the_end_where_there_is_something() -> None:
    """One sentence; where nothing was, none."""
    for taught, told in ((None, False), (0, False), (4, True)):
        out = io.StringIO()
        with ProgressDisplay(1, Console(file=out, width=120)) as display:
            display.show(STARTED)
            display.show(replace(finished(1, 0.5), taught=taught))
        words = "Others' tries taught your model 4 kinds of puzzles at levels that it never solved"
        assert (words in out.getvalue()) is told
        assert ("taught" in out.getvalue()) is told


def test_trouble_that_was_got_over_is_told() -> None:
    """Once, above what goes on."""
    out = io.StringIO()
    with ProgressDisplay(None, Console(file=out, width=100)) as display:
        display.show(STARTED)
        display.show(warning("Memory is short."))
        display.show(finished(1, 0.5))
    assert out.getvalue().count("Memory is short.") == 1


def test_an_error_is_left_to_the_one_who_explains_it() -> None:
    """No summary is printed over a failure."""
    out = io.StringIO()

    def fail() -> None:
        with ProgressDisplay(None, Console(file=out)) as display:
            display.show(STARTED)
            display.show(finished(1, 0.5))
            raise ValueError("ouch")

    with pytest.raises(ValueError, match="ouch"):
        fail()
    assert "of all puzzles" not in out.getvalue()


def test_a_display_that_nobody_reads_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its caller ends practice as for any other output; rich would end the program."""
    unread = io.BufferedWriter(UnreadPipe(errno.EPIPE))
    with io.TextIOWrapper(unread) as out, monkeypatch.context() as there:
        there.setattr(sys, "stdout", out)
        with pytest.raises(BrokenPipeError), ProgressDisplay(1) as display:
            display.show(STARTED)
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # or closing it fails, too


def test_the_curve_rises_with_the_score() -> None:
    """Blocks grow with the moving average and never leave their row."""
    curve = sparkline(tuple(Point(n, n / 100, None) for n in range(1, 101)))
    assert len(curve) == 60
    assert list(curve) == sorted(curve)
    assert sparkline(tuple(Point(n, 0.0, None) for n in range(1, 6))) == "▁"
    assert sparkline((Point(1, 0.5, None),)) == ""


def test_nothing_is_drawn_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    """A log is no place for a bar; what a service tells is taken all the same."""
    with watched("Fetching [red]a\x1b[2J") as tell:
        tell(ModelProgress(stage="downloading", done=1, total=2))
        tell(Done())
    with counted("Examining") as show:
        show(1, 2)
    assert capsys.readouterr() == ("", "")


def test_whoever_watches_sees_how_many_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exam takes minutes."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with counted("Examining") as show:
        show(3, 16)
    assert re.search(r"Examining.* 3/16", terminal.getvalue())
