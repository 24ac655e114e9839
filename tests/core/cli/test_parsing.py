"""Reading numbers from the command line."""

import argparse

import pytest

from core.cli.parsing import count, seed


def test_counts_start_at_one_and_seeds_at_zero() -> None:
    """The ends of both ranges are included."""
    assert count("1") == 1
    assert (seed("0"), seed("4294967295")) == (0, 2**32 - 1)


@pytest.mark.parametrize("text", ["0", "-3", "1.5", "", "ten", "9" * 30])
def test_what_is_no_count_is_refused_in_words(text: str) -> None:
    """The message says what was wrong with it."""
    with pytest.raises(argparse.ArgumentTypeError):
        count(text)


@pytest.mark.parametrize("text", ["-1", "4294967296", "0x10"])
def test_what_is_no_seed_is_refused_in_words(text: str) -> None:
    """A seed fits in 32 bits, as the protocol has it."""
    with pytest.raises(argparse.ArgumentTypeError):
        seed(text)
