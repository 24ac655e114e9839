"""What the commands share in reading their arguments."""

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001 - it has no public name
"""Where a command adds its parser."""


def count(text: str) -> int:
    """A whole number of at least 1, as an argparse type."""
    return _whole(text, 1, 10**9)


def seed(text: str) -> int:
    """A whole number in [0, 2**32), as an argparse type."""
    return _whole(text, 0, 2**32 - 1)


def _whole(text: str, least: int, most: int) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{number} is not between {least} and {most}")
    return number
