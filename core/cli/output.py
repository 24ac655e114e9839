"""Printing data: a table for people, JSON for programs."""

import shutil
import sys
import textwrap
from collections.abc import Sequence

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from core.said import encodable


def print_json(value: object) -> None:
    """Write ``value`` as indented JSON to stdout."""
    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=encodable), indent=2)
    sys.stdout.write(text.decode() + "\n")


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a plain table to stdout; strings are shown as they are, never as markup."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    Console(markup=False, highlight=False).print(table)


def print_item(name: str, words: str) -> None:
    """Write ``name: words`` to stdout, wrapped to the width of the terminal."""
    width = min(100, shutil.get_terminal_size().columns)
    say(textwrap.fill(f"{name}: {words}", width, subsequent_indent="    "))


def say(line: str = "") -> None:
    """Write a line to stdout."""
    sys.stdout.write(line + "\n")
