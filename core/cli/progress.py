"""Progress in the terminal: JSON lines or a live display of ``waggle join``, a bar of services."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from core.api.curves import moving_average
from core.api.events import Event, Failed, Point, SwarmChanged
from core.api.models import ModelProgress
from core.api.pipe import encode
from core.api.requests import Reply
from core.api.sentences import caveat, headline, status, taught
from core.api.state import NodeState, apply
from core.cli.output import CommandConsole
from core.letters import escaped
from core.services.paced_sampler import OnProgress
from core.services.service import SendReply

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 60  # rounds in the little curve


@contextmanager
def watched(words: str) -> Iterator[SendReply]:
    """A bar of bytes on stderr that a service moves by what it tells."""
    with _bar(words, DownloadColumn(), TransferSpeedColumn()) as move:

        def tell(reply: Reply) -> None:
            if isinstance(reply, ModelProgress):
                move(reply.done, reply.total)

        yield tell


@contextmanager
def counted(words: str) -> Iterator[OnProgress]:
    """A bar of things that are counted, on stderr."""
    with _bar(words, MofNCompleteColumn()) as move:
        yield move


@contextmanager
def _bar(words: str, *figures: ProgressColumn) -> Iterator[OnProgress]:
    """Nothing where nobody watches: a log is no place for what counts up."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        *figures,
        TimeRemainingColumn(),
    )
    console, is_hidden = CommandConsole(stderr=True), not sys.stderr.isatty()
    with Progress(*columns, console=console, transient=True, disable=is_hidden) as bar:
        task = bar.add_task(escaped(words), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)


class JsonLines:
    """One event per line and nothing else."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to put away."""

    def show(self, event: Event) -> None:
        """Write ``event`` at once."""
        self._out.write(escaped(encode(event).decode()).encode())
        self._out.flush()


class ProgressDisplay:
    """The one sentence, a little curve, the running phase and a bar; a summary at the end."""

    def __init__(self, rounds: int | None, console: Console | None = None) -> None:
        self._console = console or CommandConsole()
        self._rounds = rounds
        self._state = NodeState()
        self._first_round: int | None = None  # rounds that were done before this run
        self._live = Live(
            console=self._console,
            refresh_per_second=4,  # however quickly rounds go by
            transient=True,
            get_renderable=lambda: Group(*self._lines()),
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, _kind: object, error: object, _at: object) -> None:
        self._live.stop()
        if self._state.points and error is None:
            self._console.print(Group(*self._summary()))

    def show(self, event: Event) -> None:
        """Update the display by ``event``."""
        self._state = apply(self._state, event)
        if self._first_round is None and self._state.activity == "practising":
            self._first_round = self._state.round
            self._console.print(self._greeting())
        if isinstance(event, SwarmChanged):
            self._console.print(Text(escaped(event.words), style="dim"))
        if isinstance(event, Failed) and not event.fatal:
            self._console.print(Text(escaped(event.words), style="yellow"))

    def _greeting(self) -> Text:
        state = self._state
        return Text(escaped(f"{state.name} practises with the model {state.model}."), style="bold")

    def _lines(self) -> list[Text | Table]:
        loading = self._state.activity in ("idle", "loading")
        lines: list[Text | Table] = []
        if not loading:
            lines = [Text(headline(self._state), style="bold yellow"), *self._curve()]
        if self._rounds is not None and self._first_round is not None:
            lines.append(self._bar(self._rounds, self._state.round - self._first_round))
        return [*lines, Text(escaped(status(self._state)), style="dim")]

    def _curve(self) -> list[Text]:
        bars = sparkline(self._state.points)
        return [Text(bars, style="yellow")] if bars else []

    def _taught(self) -> list[Text]:
        words = taught(self._state.last.taught) if self._state.last else None
        return [Text(words)] if words else []

    @staticmethod
    def _bar(rounds: int, done: int) -> Table:
        table = Table.grid(padding=(0, 2))
        bar = ProgressBar(total=rounds, completed=done, width=30)
        table.add_row(bar, Text(f"{done} of {rounds} rounds"))
        return table

    def _summary(self) -> list[Text]:
        state = self._state
        return [
            *self._curve(),
            Text(headline(state), style="bold"),
            *self._taught(),
            Text(caveat(state), style="dim"),
            Text(status(state), style="dim"),
            Text(f"On puzzles it never practised: waggle exam --model {state.model}", style="dim"),
        ]


def sparkline(points: tuple[Point, ...]) -> str:
    """The moving average of the last rounds as a line of blocks, from 0 to the best.

    Empty in the first rounds, which have no average yet.
    """
    means = moving_average([p.round for p in points], [p.skill for p in points])[-_WIDTH:]
    known = [mean for mean in means if mean is not None]
    top = max([*known, 1e-9])
    return "".join(_BARS[min(len(_BARS) - 1, int(len(_BARS) * mean / top))] for mean in known)
