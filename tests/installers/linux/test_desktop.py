"""What a desktop and ``man`` are told holds, and agrees with the program."""

import argparse
import configparser
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from core.cli.commands import build_parser

HERE = Path(__file__).resolve().parents[3] / "installers" / "linux"
ENTRY = HERE / "waggle.desktop"


def entry() -> dict[str, str]:
    """The keys of the desktop entry."""
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
    parser.read(ENTRY, encoding="utf-8")
    return dict(parser["Desktop Entry"])


def commands() -> list[tuple[str, str | None]]:
    """The commands of the program, each with its words in ``waggle --help``."""
    for action in build_parser()._actions:  # noqa: SLF001 - argparse has no public way
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - the same
            return [(choice.dest, choice.help) for choice in action._choices_actions]  # noqa: SLF001 - the same
    raise AssertionError("there are no commands")


def test_links_to_swarms_open_the_window() -> None:
    """The entry takes waggle:// links and hands them over."""
    told = entry()
    assert told["MimeType"] == "x-scheme-handler/waggle;"
    assert told["Exec"] == "waggle-app %u"
    assert told["Icon"] == "waggle"


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="no such program")
def test_the_entry_is_valid() -> None:
    """The desktops' own checker has nothing to say."""
    done = subprocess.run(  # noqa: S603 - our own command line
        ["desktop-file-validate", ENTRY],  # noqa: S607 - on PATH
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_software_centre_finds_the_entry() -> None:
    """The component launches the desktop file that is installed."""
    component = ET.parse(HERE / "waggle.metainfo.xml").getroot()  # noqa: S314 - our own file
    assert component.findtext("launchable") == ENTRY.name
    assert component.findtext("project_license") == "Apache-2.0"


def test_the_manual_has_every_command_and_no_other() -> None:
    """With the words that ``waggle --help`` has for them."""
    page = (HERE / "waggle.1").read_text("ascii").replace("\\-", "-")
    listed = page.partition(".SH COMMANDS\n")[2].partition(".SH ")[0]
    assert re.findall(r"\.TP\n\.B (\S+)\n(.+)\n", listed) == commands()


@pytest.mark.parametrize("program", ["waggle", "waggle-app"])
@pytest.mark.skipif(shutil.which("man") is None, reason="no man here")
def test_the_manual_can_be_formatted(program: str) -> None:
    """Without a warning."""
    done = subprocess.run(  # noqa: S603 - our own command line
        ["man", "--warnings", "--local-file", HERE / f"{program}.1"],  # noqa: S607 - on PATH
        check=True,
        capture_output=True,
        env={"LC_ALL": "C.UTF-8", "MANWIDTH": "80", "PATH": "/usr/bin:/bin"},
        text=True,
    )
    assert done.stderr == ""
    assert "SYNOPSIS" in done.stdout


def test_examples_of_the_manual_are_accepted() -> None:
    """Nobody types one that is refused."""
    page = (HERE / "waggle.1").read_text("ascii").replace("\\-", "-")
    examples = re.findall(r"^\.B waggle (.+)$", page.partition(".SH EXAMPLES")[2], re.MULTILINE)
    assert examples
    for example in examples:
        build_parser().parse_args(example.split())
