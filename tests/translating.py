"""Keeps the translations in step with what people read: ``python -m tests.translating``.

Collects the words in ``app``, the fixed texts of all calls of ``translatable`` and the words in the
lists of models, puzzles and swarms into ``resources/translations/*.ts``, says how much is missing,
and makes the ``*.qm`` that the window reads. New words are written into the ``.ts`` by hand or with
``pyside6-linguist``; then run this again.
"""

import ast
import json
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from app.text.core_words import CATALOGUE, CONTEXT
from app.text.translation import LANGUAGES, TRANSLATIONS
from core.models.catalog.inspection import LICENCE, SENTENCE
from core.paths import RESOURCES
from core.settings import Language

ROOT = Path(__file__).resolve().parent.parent
LISTS = {
    "models.toml": ("sentence", "terms"),
    "tasks.toml": ("title",),
    "swarms.toml": ("title", "words"),
}
SCRIPTS = Path(sysconfig.get_path("scripts"))


def source_of(language: Language) -> Path:
    return TRANSLATIONS / f"waggle_{language}.ts"


def collect(target: Path, *, language: Language) -> None:
    """Bring ``target`` in step with what is said in ``app``; what is no longer said goes."""
    files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "app").rglob("*.py"))
    options = ("-no-obsolete", "-locations", "none", "-source-language", "en")
    with tempfile.TemporaryDirectory() as folder:
        rest = Path(folder) / "rest.py"
        rest.write_text("".join(calls()), encoding="utf-8")
        wanted = ("-target-language", language, "-ts", str(target))
        run("pyside6-lupdate", *files, str(rest), *options, *wanted)


def calls() -> Iterator[str]:
    """What is not in ``app``, or not in Qt's manner, as calls that the collecting tool reads."""
    for text in dict.fromkeys(fixed_texts()):
        yield f"translate({CONTEXT!r}, {json.dumps(text, ensure_ascii=False)})\n"
    for text in dict.fromkeys(listed_texts()):
        yield f"translate({CATALOGUE!r}, {json.dumps(text, ensure_ascii=False)})\n"


def fixed_texts() -> Iterator[str]:
    """The fixed texts of all calls of ``translatable``, file by file."""
    for folder in ("core", "app"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "translatable":
                    yield _literal(node.args[0], path)


def _literal(node: ast.expr, path: Path) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"{path}, line {node.lineno}: only a literal can be collected")


def listed_texts() -> Iterator[str]:
    """What the lists of models, puzzles and swarms say, names of models apart."""
    yield from (SENTENCE, LICENCE)  # of models in no list
    for name, words in LISTS.items():
        for entries in tomllib.loads((RESOURCES / name).read_text(encoding="utf-8")).values():
            if isinstance(entries, list):
                yield from (entry[key] for entry in entries for key in words if entry.get(key))


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
