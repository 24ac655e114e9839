"""The rules of the house that no other tool checks; CONTRIBUTING.md gives the reason of each."""

import ast
import logging
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from importlib.metadata import packages_distributions
from pathlib import Path

import msgspec
import pytest
from importlinter import cli as import_linter

from core.settings import Settings

ROOT = Path(__file__).resolve().parent.parent

UNTESTED = {
    "app/state/intents.py": "values without behaviour; test_main_window.py sees to them",
    "core/helper/__main__.py": "one call; core/helper/test_main.py starts it",
    "core/api/events.py": "messages without behaviour; test_pipe.py sends them through",
    "app/backend/actions.py": "a Protocol only: the window and its fake are checked against it",
    "core/engine/ports.py": "Protocols only: every fake and every adapter is checked against them",
}
"""Modules without a test file of their own, each with its reason. It should shrink."""

MOST_LINES = 300

DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")),
]
"""What people read of Waggle."""

WITH_EXAMPLES = {"README.md", "CONTRIBUTING.md", "docs/decks.md", "docs/hosting.md"}
"""Those of them in which commands of Waggle are given, to be typed."""

SEEN_BY_THE_WINDOW = {
    *("core.api", "core.rollouts", "core.settings", "core.paths", "core.errors"),
    *("core.i18n", "core.version", "core.storage", "core.letters", "core.children"),
    "core.local_time",
    *("PySide6", "shiboken6", "msgspec", "jeepney", "qrcode"),
}
"""What ``app`` may import beside the standard library: words and values, no engine."""

# A character class hides each pattern from itself.
BANNED = {
    "a package registry's host": r"py[p]i\.org|python[h]osted\.org|npm[j]s\.(com|org)",
    "a package index option": r"index[-]url|find[-]links",
    "a path of one machine": r"(?<![\w.])/(wor[k]|roo[t]|hom[e]|User[s]|opt/py[p]i)/\w|C:\\User[s]",
    "an unfinished mark": r"\bTO[D]O\b|\bFIX[M]E\b",
}


def modules() -> list[str]:
    """Every module of the product that says something, as a path with slashes."""
    return sorted(
        path.relative_to(ROOT).as_posix()
        for package in ("core", "app")
        for path in (ROOT / package).rglob("*.py")
        if path.name != "__init__.py"
    )


def imported_modules(module: str) -> set[str]:
    """What all absolute imports of a module are from, wherever in it they stand."""
    names = set()
    for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            is_package = node.module in {"app", "core"}
            names |= (
                {f"{node.module}.{a.name}" for a in node.names} if is_package else {node.module}
            )
    return names


def imported_packages(module: str) -> set[str]:
    """The first names of all absolute imports of a module."""
    return {name.split(".")[0] for name in imported_modules(module)}


def name_of(requirement: str) -> str:
    """The normalised name of the project that a requirement asks for."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def tracked_text() -> list[str]:
    """Every text file under version control, as a path with slashes."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no version control here that could list the files")
    listing = subprocess.run(  # noqa: S603 - git, found on PATH
        [git, "-C", str(ROOT), "grep", "-I", "--name-only", "-e", ""],
        capture_output=True,
        text=True,
        check=True,
    )
    return listing.stdout.splitlines()


def fenced(document: str) -> list[str]:
    """The lines inside the fenced blocks of a Markdown file."""
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks: list[str] = re.findall(r"^```\w*\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    return [line.strip() for block in blocks for line in block.splitlines()]


def examples(document: str, program: str) -> list[list[str]]:
    """The arguments of every example call of ``program``, comments and pipes cut off."""
    return [
        shlex.split(line.removeprefix("$ ").split("|")[0], comments=True)[len(program.split()) :]
        for line in fenced(document)
        if line.removeprefix("$ ").startswith(f"{program} ")
    ]


def mirror_of(module: str) -> Path:
    """Where a module's tests belong."""
    path = Path(module)
    return ROOT / "tests" / path.parent / f"test_{path.name}"


def test_files_change_names_in_one_place() -> None:
    """``move`` knows how long a scanner holds what is new; whoever renames past it would fail."""
    found = []
    for module in set(modules()) - {"core/storage/files.py"}:
        for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Attribute(owner, "replace" | "rename"), [_], []):
                    found.append(f"{module}:{node.lineno}: {ast.unparse(owner)}")
                case ast.Attribute(ast.Name("os" | "shutil"), "replace" | "move"):
                    found.append(f"{module}:{node.lineno}: {ast.unparse(node)}")
    assert [one for one in found if not one.endswith(": rounds")] == []  # rows of the ledger


def test_every_module_has_a_test_file() -> None:
    """``core/tasks/scorer.py`` is tested in ``tests/core/tasks/test_scorer.py``."""
    assert {module for module in modules() if not mirror_of(module).is_file()} == UNTESTED.keys()


def test_what_is_imported_is_declared() -> None:
    """A library that only came along with another one goes when that one no longer needs it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    names = ("fast", "hub", "dht", "lab", "parquet", "cards")
    optional = [line for name in names for line in extras[name]]
    requirements = [*project["dependencies"], *optional]
    declared = {name_of(requirement) for requirement in requirements} | {"waggle"}
    providers = packages_distributions()
    undeclared = [
        f"{module}: {package}"
        for module in modules()
        for package in imported_packages(module)
        if package in providers and not declared & set(map(name_of, providers[package]))
    ]
    assert undeclared == []


def test_the_window_imports_what_is_listed_and_nothing_else() -> None:
    """Neither torch nor the network, nor any part of the engine but what it says."""
    foreign = {
        f"{module}: {name}"
        for module in modules()
        if module.startswith("app/")
        for name in imported_modules(module)
        if not {name.split(".")[0], ".".join(name.split(".")[:2])} & SEEN_BY_THE_WINDOW
        and name.split(".")[0] not in sys.stdlib_module_names | {"app"}
    }
    assert foreign == set()


def test_a_public_class_name_means_one_thing() -> None:
    """``core/api/events.py`` and ``app/pages/home/chart.py`` do not call two things alike."""
    homes = defaultdict[str, set[str]](set)
    for module in modules():
        for node in ast.parse((ROOT / module).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].add(module)
    homonyms = {name: sorted(found) for name, found in homes.items() if len(found) > 1}
    assert homonyms == {}


def test_no_module_lies_loose() -> None:
    """Whatever the window is made of is found by its folder."""
    assert {path.name for path in (ROOT / "app").glob("*.py")} == {"__init__.py", "main.py"}


def test_few_signals_are_only_handed_on() -> None:
    """What a person wants goes to ``Actions`` at once, and not from widget to widget."""
    relays = {
        f"{module}: {target}"
        for module in modules()
        for target in re.findall(
            r"\.connect\(self\.(\w+)\)", (ROOT / module).read_text(encoding="utf-8")
        )
        if re.search(rf"^    {target} = Signal\(", (ROOT / module).read_text("utf-8"), re.MULTILINE)
    }
    assert relays == {
        "app/backend/processes.py: ended",
        "app/pages/practice/try_view.py: changed",
        "app/widgets/request_status.py: progress",
    }


def test_every_file_is_a_room_with_one_purpose() -> None:
    """Fewer than 300 lines, so that a reader holds the whole file in mind."""
    files = [*modules(), *(path.name for path in ROOT.glob("dev*.py"))]
    lines = {name: (ROOT / name).read_text(encoding="utf-8").count("\n") for name in files}
    assert {name: count for name, count in lines.items() if count >= MOST_LINES} == {}


def test_the_layers_hold() -> None:
    """The import contracts of pyproject.toml, so that a bare ``pytest`` sees them broken too."""
    code = import_linter.lint_imports(
        config_filename=str(ROOT / "pyproject.toml"), no_cache=True, no_logo=True
    )
    for name in logging.Logger.manager.loggerDict:  # it silences all that were there before it
        logging.getLogger(name).disabled = False
    assert code == import_linter.EXIT_STATUS_SUCCESS


def test_the_tree_names_no_machine_and_no_registry() -> None:
    """What is written here holds on every machine; where packages come from is pip's business."""
    found = [
        f"{name}:{number}: {reason}"
        for name in tracked_text()
        for number, line in enumerate(
            (ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines(), start=1
        )
        for reason, pattern in BANNED.items()
        if re.search(pattern, line)
    ]
    assert found == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_waggle_command_in_a_document_is_accepted(document: str) -> None:
    """Nobody types an example that the command line refuses."""
    from core.cli.commands import build_parser

    calls = examples(document, "waggle") + examples(document, "python3 dev.py run --")
    assert bool(calls) == (document in WITH_EXAMPLES)
    for arguments in calls:
        build_parser().parse_args(arguments)


def test_the_settings_in_the_readme_are_accepted() -> None:
    """Nobody copies settings that Waggle then refuses."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        assert msgspec.toml.decode(block, type=Settings) != Settings()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_relative_link_leads_somewhere(document: str) -> None:
    """Links and pictures of a document exist in the tree."""
    text = (ROOT / document).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text)
    missing = [
        target
        for target in targets
        if not target.startswith(("http://", "https://"))
        and not (ROOT / document).parent.joinpath(target).exists()
    ]
    assert missing == []
