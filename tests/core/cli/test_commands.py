"""What all commands have in common."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.cli.commands import COMMANDS, build_parser
from core.cli.main import main
from tests.commands import Typed


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    """``waggle COMMAND --help`` shows how it is used."""
    for command in COMMANDS:
        name = command.__name__.rsplit(".", 1)[-1]
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        assert f"Example: waggle {name}" in capsys.readouterr().out


def with_all_below(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    yield parser
    for action in parser._actions:  # noqa: SLF001 - argparse tells of them nowhere else
        if isinstance(action.choices, dict):
            for below in action.choices.values():
                yield from with_all_below(below)


def test_the_example_is_of_that_very_action() -> None:
    """Whoever asks how `show` is used is not told how `new` is."""
    parsers = list(with_all_below(build_parser()))
    assert len(parsers) > 2 * len(COMMANDS)
    other = [one.prog for one in parsers if not f"{one.epilog}".startswith(f"Example: {one.prog}")]
    assert other == []


def test_every_command_takes_home_and_debug() -> None:
    """Where things are kept can always be chosen."""
    arguments = build_parser().parse_args(["models", "--home", "x", "--debug"])
    assert (arguments.home, arguments.debug) == (Path("x"), True)


@pytest.mark.parametrize(
    "words",
    [
        ["--home", "x", "--debug", "tasks", "show", "gcd"],
        ["tasks", "--home", "x", "--debug", "show", "gcd"],
        ["tasks", "show", "gcd", "--home", "x", "--debug"],
        ["lab", "pretrain", "spark", "--home", "x", "--debug"],
        ["lab", "scale", "--home", "x", "--debug", "clients"],
    ],
)
def test_sub_commands_take_them_before_and_after(words: list[str]) -> None:
    """Where the option stands does not matter."""
    arguments = build_parser().parse_args(words)
    assert (arguments.home, arguments.debug) == (Path("x"), True)


@pytest.mark.parametrize(
    "words",
    [
        ("deck", "--json", "new", "words.csv"),
        ("deck", "--json", "from-hub", "someone/sums"),
        ("deck", "--json", "check", "words.csv"),
        ("deck", "--json", "show", "words"),
        ("deck", "--json", "remove", "words"),
        ("deck", "--json", "export", "words", "--out", "words.deck"),
        ("models", "--json", "get", "qwen3-0.6b"),
        ("models", "--json", "verify", "qwen3-0.6b"),
        ("models", "--json", "remove", "qwen3-0.6b"),
        ("models", "--json", "token"),
        ("tasks", "--json", "show", "gcd"),
    ],
)
def test_json_is_refused_where_none_is_printed(words: tuple[str, ...], typed: Typed) -> None:
    """A program that asks for it would read sentences; nothing is done."""
    told = typed(*words)
    assert (told.code, told.out) == (2, "")
    assert "prints no JSON" in told.err
