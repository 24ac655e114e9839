"""Whose work is in the frozen app, and on which terms: resources/licences.json.

Nobody keeps a list: whatever file is shipped belongs to a distribution of Python or to a package
of the system, and those name their licences. The few other things are named here.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final, NamedTuple

_HERE: Final = Path(__file__).parent

MOST_TEXT: Final = 500_000
"""Characters of one text; what is longer is cut, and says so."""

MOST_WORDS: Final = 100
"""Characters of what a licence is called."""

_CUT: Final = "\n[The rest is in the distribution itself.]\n"
_WORDS: Final = ("licen", "copying", "notice", "copyright", "authors")
_QT: Final = """\
Qt and PySide6 are used under the GNU Lesser General Public License, version 3. Their libraries lie
as separate files in the folder _internal/PySide6, and you may replace them with versions of your
own. Their source is published by The Qt Company at https://download.qt.io and
https://code.qt.io. The licence, and the one that it builds upon:
"""


class Licence(NamedTuple):
    """One part of the app."""

    name: str
    version: str
    licence: str  # an SPDX expression where its makers give one, else a few words; may be empty
    text: str


def write_licences(out: Path, shipped: Iterable[Path], root: Path) -> None:
    """Write the licences of all ``shipped`` files, and of what ``root`` holds, to ``out``."""
    files = {path.resolve() for path in shipped}
    found = [*_of_distributions(files), *_of_system(files), *_of_project(root)]
    found.sort(key=lambda one: (one.name.lower(), one.version))
    out.parent.mkdir(parents=True, exist_ok=True)
    rows = [one._asdict() for one in found]
    out.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def licence_of(one: Distribution, text: str) -> Licence:
    """What a distribution says about itself, with its ``text``."""
    said = one.metadata
    expression = said.get("License-Expression") or said.get("License") or ""
    if not 0 < len(expression) <= MOST_WORDS or "\n" in expression:  # some say the whole text here
        classes = [
            value.rpartition(" :: ")[2]
            for value in said.get_all("Classifier") or ()
            if value.startswith("License ::") and value != "License :: OSI Approved"
        ]
        expression = ", ".join(classes) or expression.strip().partition("\n")[0][:MOST_WORDS]
    return Licence(one.name, one.version, expression, bounded(text))


def bounded(text: str) -> str:
    """``text``, or its beginning where it is too long."""
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - len(_CUT)] + _CUT


def _of_distributions(files: set[Path]) -> list[Licence]:
    found = []
    for one in distributions():
        own = {Path(str(one.locate_file(path))).resolve(): path for path in one.files or ()}
        if one.name == "waggle" or not files & own.keys():
            continue
        if not any(".dist-info" not in str(path) for path in files & own.keys()):
            continue  # no more than what it says of itself
        texts = [
            path.read_text(encoding="utf-8", errors="replace")
            for path, name in sorted(own.items())
            if _is_text(str(name)) and path.is_file()
        ]
        if one.name.lower().startswith(("pyside6", "shiboken6")):
            terms = sorted((_HERE / "terms").glob("*GPL-3.0.txt"), reverse=True)
            texts = [_QT, *(path.read_text(encoding="utf-8") for path in terms), *texts]
        found.append(licence_of(one, "\n\n".join(texts) or spare_text(one)))
    return found


def spare_text(one: Distribution) -> str:
    """The terms of a distribution that forgot to bring them along; empty where we have none."""
    terms = _HERE / "terms" / f"{one.name.lower()}.txt"
    if not terms.is_file() and "Apache" in licence_of(one, "").licence:
        terms = _HERE.parent / "LICENSE"
    return terms.read_text(encoding="utf-8") if terms.is_file() else ""


def _is_text(name: str) -> bool:
    last = name.replace("\\", "/").rpartition("/")[2].lower()
    return any(word in last for word in _WORDS) and not last.endswith((".py", ".pyc", ".json"))


def _of_system(files: set[Path]) -> list[Licence]:
    """Libraries of Debian and its kin, whose packages bring their terms along."""
    if not shutil.which("dpkg-query"):
        return []
    libraries = sorted(str(path) for path in files if path.parts[1:2] in (("usr",), ("lib",)))
    both = [*libraries, *(name.removeprefix("/usr") for name in libraries)]
    query = ["dpkg-query", "--search", *both]
    said = subprocess.run(query, check=False, capture_output=True, text=True).stdout  # noqa: S603 - our own files' names
    names = sorted({line.split(":")[0] for line in said.splitlines() if not line[0].isspace()})
    found = []
    for name in names:
        terms = Path("/usr/share/doc", name, "copyright")
        if terms.is_file():
            shown = ["dpkg-query", "--show", "--showformat=${Version}\n", name]
            answer = subprocess.run(shown, check=False, capture_output=True, text=True).stdout  # noqa: S603 - a name it gave us
            text = bounded(terms.read_text(encoding="utf-8", errors="replace"))
            found.append(Licence(name, answer.partition("\n")[0], "see the text", text))
    return found


def _of_project(root: Path) -> list[Licence]:
    """Waggle and what comes with it that no package manager knows."""
    own = (root / "LICENSE").read_text(encoding="utf-8")
    version = ".".join(map(str, sys.version_info[:3]))
    library = Path(sysconfig.get_path("stdlib"))
    found = [
        Licence("Waggle", "", "Apache-2.0", own),
        Licence(
            "Inter (font)", "", "OFL-1.1", (root / "resources/fonts/OFL.txt").read_text("utf-8")
        ),
        Licence("Python", version, "PSF-2.0", bounded(_first(library, library.parent.parent))),
    ]
    for card in sorted((root / "resources" / "models").glob("*/README.md")):
        text = bounded(card.read_text(encoding="utf-8"))
        found.append(Licence(f"{card.parent.name} (starter model)", "", "Apache-2.0", text))
    return found


def _first(*folders: Path) -> str:
    for folder in folders:
        for name in ("LICENSE.txt", "LICENSE"):
            if (folder / name).is_file():
                return (folder / name).read_text(encoding="utf-8", errors="replace")
    return f"https://docs.python.org/{sys.version_info[0]}.{sys.version_info[1]}/license.html{os.linesep}"
