"""``dev.py package``: Waggle as people install it, from an environment that holds nothing else.

``dist`` then has the frozen folder, and on Linux the tarball and the Debian package of it. The same
commit with the same tools gives the same tarball: versions are pinned, times are the commit's.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

from dev_system import CONSTRAINTS, ROOT, names_in, say

VENV = ROOT / ".venv-package"
STAMP = VENV / "waggle-stamp"
WHEELS = ROOT / "build" / "wheels"
WORK = ROOT / "build" / "package"
DIST = ROOT / "dist"
PROJECT = ROOT / "pyproject.toml"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")

SUPPORTED = ((3, 11), (3, 12), (3, 13))
LLAMA = "llama-cpp-python"
LLAMA_LEAN = (
    "-DLLAVA_BUILD=OFF "
    f"-DCMAKE_PROJECT_llama.cpp_INCLUDE={shlex.quote((ROOT / 'packaging/llama.cmake').as_posix())}"
)
"""The library alone; the rest of llama.cpp, which nobody uses here, takes longer to compile."""

LLAMA_OPTIONS = f"{LLAMA_LEAN} -DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON"
"""For any processor: what computes is compiled once for each kind of them, and chosen at start."""

XZ_PRESET = 4  # a third of the time of xz's own default, and 3 percent more


class PackageError(Exception):
    """The app cannot be packaged; the text says why."""


def command_package(arguments: list[str]) -> int:
    """Make all that this system can make of Waggle as people install it, in ``dist``."""
    if arguments:
        say("package takes no arguments; it makes everything that this system can make.")
        return 2
    if sys.version_info[:2] not in SUPPORTED:
        say("the app is made with the Python that runs this: take 3.11, 3.12 or 3.13.")
        return 1
    began = time.monotonic()
    try:
        prepare()
        folder = freeze()
        version = project_version()
        if sys.platform == "linux":
            for made in (tarball(folder, version), debian_package(folder, version)):
                if made:
                    say(f"{made.name}: {made.stat().st_size / 1e6:.0f} MB")
    except PackageError as error:
        say(str(error))
        return 1
    say(f"{folder} has {size_of(folder) / 1e6:.0f} MB; all took {time.monotonic() - began:.0f} s")
    return 0


def prepare() -> None:
    """Make sure that the environment holds what is shipped, and PyInstaller.

    Raises:
        PackageError: something cannot be installed.
    """
    wanted = hashlib.sha256(
        f"{sys.version} {ROOT} {_llama_key()}".encode()
        + PROJECT.read_bytes()
        + CONSTRAINTS.read_bytes()
    ).hexdigest()
    if STAMP.is_file() and STAMP.read_text(encoding="ascii") == wanted:
        return
    say("setting up .venv-package; later calls skip this")
    STAMP.unlink(missing_ok=True)
    _must([sys.executable, "-m", "venv", "--clear", VENV], "The environment cannot be made.")
    # First and by its exact version, as in dev.py: a range would prefer a newer, larger build.
    _pip(next(line for line in names_in(CONSTRAINTS) if line.startswith("torch==")))
    _pip("--editable", ".[dht,package]")
    _install_llama()
    STAMP.write_text(wanted, encoding="ascii")


def freeze() -> Path:
    """Let PyInstaller make the folder, and note in it how it is going to be installed.

    Raises:
        PackageError: it failed.
    """
    say("freezing; this takes minutes")
    plan = ROOT / "packaging" / "waggle.spec"
    tool: list[str | Path] = [SCRIPTS / "pyinstaller", "--noconfirm", "--log-level", "WARN"]
    places: list[str | Path] = ["--distpath", DIST, "--workpath", WORK, plan]
    fixed = {"SOURCE_DATE_EPOCH": str(commit_time()), "PYTHONHASHSEED": "0"}
    _must([*tool, *places], "PyInstaller failed; its lines above say why.", fixed)
    if sys.platform == "darwin":
        folder, beside = DIST / "Waggle.app", DIST / "Waggle.app" / "Contents" / "Resources"
    else:
        folder = beside = DIST / "waggle"
    kind = {"linux": "tarball", "darwin": "dmg"}.get(sys.platform, "inno")
    (beside / "install.toml").write_text(f'kind = "{kind}"\n', encoding="ascii")
    if sys.platform == "linux":
        from installers.linux.rpath import forget_strays

        forget_strays(folder)  # paths of this computer, in Python's own libraries
    return folder


def tarball(folder: Path, version: str) -> Path:
    """Pack ``folder``, with the scripts that install it for one person; returns the file.

    Owners are root, order and times are fixed, so the same content is the same file.
    """
    for script in sorted((ROOT / "installers" / "linux").glob("*install.sh")):
        shutil.copy(script, folder)
    from core.updates.releases import this_platform  # here, where Python is new enough for it

    out = DIST / f"waggle-{version}-{this_platform()}.tar.xz"
    moment = commit_time()

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = moment
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with (
        lzma.open(out, "wb", preset=XZ_PRESET) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        archive.add(folder, folder.name, recursive=False, filter=plain)
        for path in sorted(folder.rglob("*")):
            place = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            archive.add(path, place, recursive=False, filter=plain)
    return out


def debian_package(folder: Path, version: str) -> Path | None:
    """Let the installers make the package; None where dpkg is not at home."""
    if not shutil.which("dpkg-deb"):
        say("no dpkg-deb here, so no Debian package.")
        return None
    os.environ["SOURCE_DATE_EPOCH"] = str(commit_time())
    from installers.linux.deb import build

    made: Path = build(folder, version, DIST)
    return made


def project_version() -> str:
    """The one of pyproject.toml; read by hand, since Python 3.10 must get as far as a sentence."""
    lines = PROJECT.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("version = ")).split('"')[1]


def commit_time() -> int:
    """When the last commit was made, in seconds since 1970; 0 outside of a repository."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given.isdecimal():
        return int(given)
    ask = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        said = subprocess.run(ask, check=False, capture_output=True, text=True).stdout.strip()
    except OSError:
        return 0
    return int(said) if said.isdecimal() else 0


def size_of(folder: Path) -> int:
    """Bytes of all files below ``folder``; a link weighs nothing."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files)


def _llama_pin() -> str:
    return next(line for line in names_in(CONSTRAINTS) if line.startswith(LLAMA))


def _llama_key() -> str:
    """Names which llama.cpp is compiled, and how; where this checkout lies does not matter."""
    options = LLAMA_OPTIONS.replace(ROOT.as_posix(), "")
    plan = (ROOT / "packaging" / "llama.cmake").read_bytes()
    return hashlib.sha256(f"{_llama_pin()} {options}".encode() + plan).hexdigest()[:12]


def _install_llama() -> None:
    """Compile llama.cpp for every processor of this kind; without it, torch does all the work."""
    wheels = WHEELS / _llama_key()  # pip's own cache does not look at the options
    if not list(wheels.glob("*.whl")):
        say("compiling llama.cpp for all kinds of this processor: 10 to 40 minutes, once")
        options = ["wheel", "--no-cache-dir", "--no-deps", "--no-binary", LLAMA, "-w", str(wheels)]
        if _run([SCRIPTS / "pip", *options, _llama_pin()], {"CMAKE_ARGS": LLAMA_OPTIONS}):
            say("llama.cpp cannot be built here; going on without it.")
            return
    _pip(*map(str, sorted(wheels.glob("*.whl"))))


def _pip(*what: str) -> None:
    command: list[str | Path] = [SCRIPTS / "pip", "--disable-pip-version-check", "install"]
    _must(
        [*command, "--quiet", "--constraint", CONSTRAINTS, *what], "pip failed; its lines say why."
    )


def _must(command: list[str | Path], otherwise: str, more: dict[str, str] | None = None) -> None:
    if _run(command, more):
        raise PackageError(otherwise)


def _run(command: list[str | Path], more: dict[str, str] | None = None) -> int:
    arguments, environment = [str(part) for part in command], os.environ | (more or {})
    return subprocess.run(arguments, check=False, cwd=ROOT, env=environment).returncode
