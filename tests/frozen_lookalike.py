"""A folder that looks and acts like the frozen one, made of scripts around this very source.

    python tests/frozen_lookalike.py PROGRAM [ARGUMENT ...]

is what its ``waggle`` does. Its window is a program that sleeps.
"""

import re
import shutil
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION_FILE = Path("_internal", "core", "version.py")

CONSOLE = """\
#!/bin/sh
exec '{python}' '{script}' "$0" "$@"
"""
WINDOW = """\
#!/bin/sh
[ "$1" = --help ] && exit 0
exec "${0%-app}-sleeping" 600
"""


def make_lookalike(folder: Path) -> Path:
    """Lay it out as the tarball has it; returns it."""
    internal = folder / "_internal"
    (internal / "core").mkdir(parents=True)
    (internal / "resources").mkdir()
    shutil.copy(ROOT / "core" / "version.py", folder / VERSION_FILE)
    shutil.copy(ROOT / "resources" / "updates.toml", internal / "resources")
    shutil.copy(shutil.which("sleep") or "", folder / "waggle-sleeping")
    script = CONSOLE.format(python=sys.executable, script=Path(__file__).resolve())
    for name, text in (("waggle", script), ("waggle-app", WINDOW)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (folder / "install.toml").write_text('kind = "tarball"\n')
    return folder


def main() -> int:
    """Be the ``waggle`` of the folder that the first argument lies in."""
    program = Path(sys.argv.pop(1))
    sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]
    sys.executable = str(program)
    vars(sys).update(frozen=True, _MEIPASS=str(program.with_name("_internal")))
    import core.version

    told = program.with_name("_internal") / "core" / "version.py"
    found = re.search(r'"(\d+\.\d+\.\d+)"', told.read_text())
    core.version.VERSION = found[1] if found else ""
    return int(import_module("parts").run(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
