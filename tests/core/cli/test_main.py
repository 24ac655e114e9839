"""The command line's contract: exit codes, one sentence on stderr, examples."""

import argparse
import errno
import importlib.abc
import os
import subprocess
import sys
from io import BufferedWriter, TextIOWrapper
from pathlib import Path

import msgspec
import pytest

from core.cli.main import main
from core.paths import Home
from core.wire.invite import VERSION, Invite, InvitedHub, write_invite
from tests.commands import Typed
from tests.unread_pipe import UnreadPipe


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["join", "--rounds", "0"],
        ["join", "--rounds", "many"],
        ["join", "--seed", "-1"],
        ["join", "--recipe", "magic"],
        ["tasks", "show"],
        ["lab"],
    ],
)
def test_wrong_usage_exits_with_two(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The parser explains itself on stderr and stdout stays empty."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tasks", "show", "chain_sun"], "chain_sum"),
        (["join", "--model", "sparc"], "Did you mean spark?"),
    ],
)
def test_what_there_is_not_is_one_sentence_and_two(
    words: list[str], sentence: str, typed: Typed
) -> None:
    """The caller asked for something that does not exist; nothing is loaded for it."""
    told = typed(*words)
    assert told.code == 2
    assert told.err.startswith("waggle: ")
    assert sentence in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("words", [["join"], ["models"], ["models", "--json"], ["exam"]])
def test_broken_settings_are_one_sentence_and_one(
    words: list[str], typed: Typed, tmp_path: Path
) -> None:
    """The file is named and left as it is."""
    (tmp_path / "settings.toml").write_text("[practice]\nlocal_groups = 'x'")
    told = typed(*words)
    assert (told.code, told.out) == (1, "")
    assert "settings.toml" in told.err


def test_an_unwritable_home_is_one_sentence_and_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file in place of the folder cannot be used."""
    (tmp_path / "file").write_text("")
    assert main(["join", "--home", str(tmp_path / "file")]) == 1
    assert "is a file, where Waggle needs a folder" in capsys.readouterr().err


def test_the_unexpected_is_a_sentence_and_debug_shows_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bug does not throw a traceback at people unless they ask for it."""
    import core.cli.models

    def fail(_: argparse.Namespace) -> int:
        raise ZeroDivisionError("ouch")

    monkeypatch.setattr(core.cli.models, "run", fail)
    assert main(["models"]) == 1
    plain = capsys.readouterr().err
    assert "ZeroDivisionError" in plain
    assert "Traceback" not in plain
    assert main(["models", "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


class InterruptedImport(importlib.abc.MetaPathFinder):
    """Ctrl-C while the commands are being imported."""

    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname == "core.cli.commands":
            raise KeyboardInterrupt


def test_ctrl_c_in_the_first_second_is_one_word_and_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No traceback of whatever was being imported."""
    monkeypatch.delitem(sys.modules, "core.cli.commands", raising=False)
    monkeypatch.setattr(sys, "meta_path", [InterruptedImport(), *sys.meta_path])
    assert main(["tasks"]) == 1
    assert capsys.readouterr() == ("", "waggle: Interrupted.\n")


def test_a_terminal_of_few_signs_is_no_reason_to_fail() -> None:
    """What an old code page lacks is shown as a question mark."""
    command = ["tasks", "show", "propositional_logic", "--seed", "1"]
    shown = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "core.cli.main", *command],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"?" in shown.stdout


@pytest.mark.parametrize("words", [["tasks"], ["tasks", "--json"], ["tasks", "show", "gcd"]])
@pytest.mark.parametrize("number", [errno.EPIPE, errno.EINVAL])
def test_a_reader_that_goes_away_ends_the_command_well(
    number: int, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `| head` does, by whichever number the system tells it, whatever is printed."""
    with TextIOWrapper(BufferedWriter(UnreadPipe(number))) as out, monkeypatch.context() as there:
        there.setattr(sys, "stdout", out)
        assert main(words) == 0


@pytest.mark.parametrize("words", [["tasks"], ["tasks", "--json"], ["tasks", "show", "gcd"]])
def test_a_full_disk_under_the_output_is_told_as_such(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is nothing unexpected; and nothing is left to fail when Python ends."""
    with TextIOWrapper(BufferedWriter(UnreadPipe(errno.ENOSPC))) as out:
        with monkeypatch.context() as there:
            there.setattr(sys, "stdout", out)
            assert main(words) == 1
        out.flush()
    assert capsys.readouterr().err.startswith("waggle: The disk that holds the output is full. ")


def test_without_any_output_a_command_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `>&-`."""
    with monkeypatch.context() as there:
        there.setattr(sys, "stdout", None)
        assert [main(words) for words in (["tasks"], ["tasks", "--json"])] == [0, 0]
        sys.stdout.close()


@pytest.mark.parametrize("closed", ["stdin", "stderr"])
def test_without_input_or_a_place_for_errors_it_ends_as_with_nobody_there(
    closed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As after `<&-` or `2>&-`: nobody agrees to what an invite leads to."""
    invite = write_invite(Invite(VERSION, "class", (InvitedHub("http://127.0.0.1:1"),)))
    with monkeypatch.context() as there:
        there.setattr(sys, closed, None)
        assert main(["join", "--swarm", invite, "--home", str(tmp_path)]) == 2
        getattr(sys, closed).close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_warning_is_a_line_of_the_command(tmp_path: Path) -> None:
    """Nothing that it quotes commands the terminal, and Python does not print it by itself."""
    decks = Home(tmp_path).decks
    decks.mkdir()
    (decks / "\x1b[2J.json").write_text("no deck")
    told = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "core.cli.main", "deck", "--home", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stderr.startswith("waggle: Doing without the deck \\u001b[2J.json: ")
    assert told.stderr.count("\n") == 1


def test_an_invalid_argument_elsewhere_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same number from anything but our output is told."""

    def refuse(*_: object, **__: object) -> bytes:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(msgspec.json, "format", refuse)
    assert main(["tasks", "--json"]) == 1
    assert "Invalid argument" in capsys.readouterr().err
