"""Printing: a table for people, JSON for programs; nothing that is printed can play tricks.

All that a command says goes through here: whatever of it came from outside, in a name, an invite, a
file or an error, shows its invisible letters as escapes (``core.letters``).
"""

import logging
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from core.i18n import encodable
from core.letters import escaped
from core.logs import MOST_LETTERS


class CommandConsole(Console):
    """A console that says where nobody reads any more, as any other writing does."""

    def on_broken_pipe(self) -> NoReturn:
        """Let ``BrokenPipeError`` go on; the base class would end the program with 1, in silence.

        Raises:
            BrokenPipeError: always; it is being handled.
        """
        raise sys.exception() or BrokenPipeError


def print_json(value: object) -> None:
    """Write ``value`` as indented JSON to stdout."""
    data = msgspec.json.format(msgspec.json.encode(value, enc_hook=encodable), indent=2)
    text = escaped(data.decode()) + "\n"
    if isinstance(sys.stdout, TextIOWrapper):  # JSON is UTF-8, whatever code page people have
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
    else:
        sys.stdout.write(text)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a plain table to stdout; strings are shown as they are, never as markup.

    What does not fit goes on in the next line: a name that is cut off cannot be typed.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*map(escaped, row))
    CommandConsole(markup=False, highlight=False).print(table)


def print_item(name: str, words: str) -> None:
    """Write ``name: words`` to stdout, wrapped to the width of the terminal."""
    width = min(100, shutil.get_terminal_size().columns)
    say(textwrap.fill(f"{name}: {words}", width, subsequent_indent="    "))


def say(line: str = "") -> None:
    """Write a line to stdout."""
    sys.stdout.write(escaped(line) + "\n")


def complain(line: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(f"waggle: {escaped(line)}\n")


class Complaints(logging.Handler):
    """Says warnings as a command says anything else, cut as in a log."""

    def __init__(self) -> None:
        """Leave out all below a warning."""
        super().__init__(logging.WARNING)

    def emit(self, record: logging.LogRecord) -> None:
        """Say ``record``; of the traceback that may come with it, only its last line."""
        with suppress(Exception):  # a line that cannot be said is lost: who logs does not suffer
            told = record.getMessage()[:MOST_LETTERS]
            error = record.exc_info and record.exc_info[1]
            if error:
                last = f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(": ")
                told += f": {last[:MOST_LETTERS]}"
            complain(told)


def is_agreed(question: str, tell: Callable[[str], None]) -> bool:
    """Whether the person at the terminal says yes to ``question``, written by ``tell``."""
    tell(f"{question} [y/N]")
    return sys.stdin.readline().strip().lower() in ("y", "yes")
