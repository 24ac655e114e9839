"""TRL in an environment of its own, made on demand: it is a rival and never a dependency."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from core.bench.racing import ROOT

WANTED = ("trl==1.16.*", "datasets>=4.7")


def trl_python(folder: Path) -> Path:
    """The Python of an environment in ``folder`` that holds TRL and sees all that is here.

    A path file leads to this environment's packages, so that torch is not installed twice.
    """
    root = folder / "trl"
    scripts = "Scripts" if os.name == "nt" else "bin"
    python = root / scripts / ("python.exe" if os.name == "nt" else "python")
    done = root / "done"
    if done.exists():
        return python
    venv.create(root, with_pip=True, clear=True)
    here = sysconfig.get_path("purelib")
    there = Path(
        _output(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    )
    (there / "waggle.pth").write_text(f"import site; site.addsitedir({here!r})\n", "utf-8")
    _output(python, "-m", "pip", "install", "--constraint", str(ROOT / "constraints.txt"), *WANTED)
    done.touch()
    return python


def _output(python: Path, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own command
        [python, *arguments], check=False, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"TRL cannot be installed: {done.stderr[-2_000:]}")
    return done.stdout
