"""Keeps the translations in step with the words in ``app``: ``python -m tests.translating``.

Collects what is to be translated into ``resources/translations/*.ts``, says how much is missing,
and makes the ``*.qm`` that the window reads. New words are written into the ``.ts`` by hand or
with ``pyside6-linguist``; then run this again.
"""

import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ET
from pathlib import Path

from app.translation import LANGUAGES, TRANSLATIONS
from core.settings import Language

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sysconfig.get_path("scripts"))


def source_of(language: Language) -> Path:
    return TRANSLATIONS / f"waggle_{language}.ts"


def collect(target: Path, *, language: Language) -> None:
    """Bring ``target`` in step with what is said in ``app``; what is no longer said goes."""
    files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "app").rglob("*.py"))
    options = ("-no-obsolete", "-locations", "none", "-source-language", "en")
    run("pyside6-lupdate", *files, *options, "-target-language", language, "-ts", str(target))


def release(source: Path, target: Path) -> None:
    """Make the file that the window reads."""
    run("pyside6-lrelease", "-silent", str(source), "-qm", str(target))


def run(tool: str, *arguments: str) -> None:
    subprocess.run(  # noqa: S603 - a tool of this environment
        [SCRIPTS / tool, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )


def messages(source: Path) -> list[tuple[str, str, str, str]]:
    """Context, source, translation and state (empty: finished) of every message."""
    found = []
    for context in ET.parse(source).getroot().iter("context"):  # noqa: S314 - a file of our own
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            made = message.find("translation")
            assert made is not None
            words = made.text or ""
            found.append((name, message.findtext("source") or "", words, made.get("type", "")))
    return found


def main() -> int:
    """Collect and release all; 1 where words are missing."""
    missing = 0
    for language in LANGUAGES:
        source = source_of(language)
        collect(source, language=language)
        release(source, source.with_suffix(".qm"))
        open_ones = [said for _, said, _, state in messages(source) if state]
        missing += len(open_ones)
        sys.stdout.write(f"{language}: {len(open_ones)} missing\n")
        for said in open_ones[:20]:
            sys.stdout.write(f"    {said!r}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
