"""The trial of the Windows setup of ``dev.py windows``: compiled, installed, broken, removed.

Inno Setup is a program of 32 bits. Where Wine has only 64, it runs in a Debian of its own below
``build/windows``, which takes root.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from dev_system import ROOT, root_prefix, say
from dev_windows_trials import Outcome, outcome
from dev_wine import MINGW, SOURCES, WORK, Wine, WineError, must, windows_path

INNO = "innosetup@6.4.1"
SILENT = ("/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART")
SCRIPT = ROOT / "installers" / "windows" / "waggle.iss"
PLACE = Path("drive_c/users")
UNINSTALLED_WITHIN_S = 120
ENTER = """\
set -e
mount --make-rprivate /
mount --bind "$2" "$1$2"
mount --bind /proc "$1/proc"
mount --bind /dev "$1/dev"
root=$1 folder=$2
shift 2
exec chroot "$root" env --chdir="$folder" "$@"
"""


def setup(wine: Wine, _python: Path) -> list[Outcome]:
    """Compile the Windows setup, install, install over it, break one, and remove all."""
    return with_32_bits(wine, "the setup", _scenarios)


def with_32_bits(
    wine: Wine, name: str, scenarios: Callable[[Wine, str], Iterator[Outcome]]
) -> list[Outcome]:
    """What becomes of ``scenarios`` on a Wine of 32 bits, else that ``name`` is skipped.

    They get a screen, and all that runs there is ended.
    """
    machine = _machine_of_32_bits(wine)
    if machine is None:
        return [Outcome(name, "skipped", "Wine of 32 bits takes root here")]
    with _screen() as screen:
        try:
            machine.make()
            return list(scenarios(machine, screen))
        finally:
            machine.end()


def _scenarios(wine: Wine, screen: str) -> Iterator[Outcome]:
    old, new = (_stand_in(wine, version) for version in ("0.1.0", "0.2.0"))
    yield Outcome("the setup compiles", "passed")
    place = place_of(wine)
    data = place.parents[1] / "waggle/settings.toml"
    data.parent.mkdir(parents=True, exist_ok=True)
    data.touch()

    def runs(version: str) -> bool:
        installed = windows_program(place / "waggle.exe")
        return wine.run(installed).text.strip() == version and _is_tidy(place, version)

    done = wine.run(old, *SILENT, DISPLAY=screen)
    yield outcome("it installs", done.code == 0 and runs("0.1.0"), done.text)
    yield outcome("links to swarms open it", "waggle-app.exe" in _protocol(wine))
    done = wine.run(new, *SILENT, DISPLAY=screen)
    yield outcome("it installs over an older one", done.code == 0 and runs("0.2.0"), done.text)
    done = wine.run(broken(old, "0.1.0"), *SILENT, DISPLAY=screen)
    yield outcome("a broken one changes nothing", done.code != 0 and runs("0.2.0"), done.text)
    wine.run(windows_program(place / "unins000.exe"), *SILENT, DISPLAY=screen)
    gone = _within(UNINSTALLED_WITHIN_S, lambda: not place.exists())
    yield outcome("it removes all of itself", gone and "waggle-app" not in _protocol(wine))
    yield outcome("what was practised stays", data.is_file())


def place_of(wine: Wine) -> Path:
    """Where the setup installs Waggle."""
    (person,) = [path for path in (wine.prefix / PLACE).iterdir() if path.name != "Public"]
    return person / "AppData/Local/Programs/Waggle"


def _stand_in(wine: Wine, version: str) -> str:
    """A setup of a program that says ``version``, as Windows names the file."""
    folder = WORK / "setup" / version
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "_internal").mkdir(parents=True)
    (folder / "_internal" / "library.bin").write_bytes(library(version))
    for name in ("waggle.exe", "waggle-app.exe"):
        made = ["-o", folder / name, SOURCES / "payload.c", f'-DVERSION="{version}"']
        must([f"{MINGW}gcc", "-O2", "-s", *made], "The stand-in cannot be compiled.")
    return compiled(wine, folder, version)


def compiled(wine: Wine, folder: Path, version: str, limit_s: float = 600) -> str:
    """A setup of the programs in ``folder``, as Windows names the file.

    Raises:
        WineError: it does not compile.
    """
    compiler = WORK / "npm/node_modules/innosetup/bin/ISCC.exe"
    if not compiler.is_file():
        say("fetching Inno Setup")
        fetch = ["npm", "install", "--ignore-scripts", "--prefix", WORK / "npm", INNO]
        must(fetch, "npm failed:")
    script = WORK / "setup" / "waggle.iss"
    script.parent.mkdir(parents=True, exist_ok=True)
    text = moved(SCRIPT.read_text(encoding="utf-8-sig"))
    script.write_text(text, encoding="utf-8-sig")
    options = {"Version": version, "Folder": folder, "Out": WORK / "setup"}
    named = [
        f"/D{name}={windows_path(value) if isinstance(value, Path) else value}"
        for name, value in options.items()
    ]
    done = wine.run(windows_path(compiler), "/Q", *named, windows_path(script), limit_s=limit_s)
    if done.code:
        raise WineError(f"The setup does not compile:\n{done.text}")
    return windows_path(WORK / "setup" / f"waggle-{version}-windows-x86_64.exe")


def moved(script: str) -> str:
    """The setup's script for Wine 8, which knows no folder for a person's own programs.

    Raises:
        WineError: the script names its place otherwise by now.
    """
    changes = {
        "DefaultDirName={autopf}\\": "DefaultDirName={localappdata}\\Programs\\",
        "SourceDir=..\\..": f"SourceDir={windows_path(ROOT)}",
    }
    for old, new in changes.items():
        if script.count(old) != 1:
            raise WineError(f"{SCRIPT} has no single line {old}: mend dev_windows_setup.py.")
        script = script.replace(old, new)
    return script


def library(version: str) -> bytes:
    """What no compression makes smaller, so that its bytes are found in the setup."""
    return Random(version).randbytes(1 << 22)  # noqa: S311 - no secret


def broken(setup: str, version: str) -> str:
    """A copy of ``setup`` in which one bit in the midst of the library is wrong.

    Raises:
        WineError: the library's bytes are not there as they are.
    """
    path = Path(setup.removeprefix("Z:").replace("\\", "/"))
    content, middle = bytearray(path.read_bytes()), library(version)[1 << 21 :][:32]
    if (at := content.find(middle)) < 0:
        raise WineError(f"{path} does not hold the library as it is, so it cannot be broken.")
    content[at] ^= 1
    copy = path.with_name("broken.exe")
    copy.write_bytes(content)
    return windows_path(copy)


def _is_tidy(place: Path, version: str) -> bool:
    """Whether the programs, their library and nothing of an earlier setup lie there."""
    names = {path.name for path in place.iterdir()} - {"unins000.exe", "unins000.dat"}
    found = (place / "_internal" / "library.bin").read_bytes()
    return found == library(version) and names == {
        *("_internal", "install.toml", "waggle.exe", "waggle-app.exe"),
    }


def windows_program(path: Path) -> str:
    """As Windows names a file on its own disk C."""
    return "C:\\" + str(path).partition("/drive_c/")[2].replace("/", "\\")


def _protocol(wine: Wine) -> str:
    return wine.run("reg", "query", r"HKCU\Software\Classes\waggle\shell\open\command").text


def _machine_of_32_bits(wine: Wine) -> Wine | None:
    """This Wine if it has 32 bits, or one in a Debian of its own; None where that takes root."""
    if (wine.prefix / "drive_c/windows/syswow64/ntdll.dll").is_file():
        return wine
    if root_prefix() != []:
        return None
    root = WORK / "root"
    if not (root / "waggle-ready").exists():
        say("a Debian with a Wine of 32 bits; this takes minutes")
        shutil.rmtree(root, ignore_errors=True)
        release = must(["sh", "-c", '. /etc/os-release; echo "$VERSION_CODENAME"'], "No release:")
        boot = ["debootstrap", "--variant=minbase", release.strip(), root]
        must(boot, "debootstrap failed:")
        shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
        install = "apt-get install -qq -y --no-install-recommends wine wine64 wine32:i386"
        for step in ("dpkg --add-architecture i386", "apt-get update -qq", install):
            must(["chroot", root, *step.split()], f"In the new Debian, {step} failed:")
        (root / str(ROOT).lstrip("/")).mkdir(parents=True)
        (root / "waggle-ready").touch()
    enter = ("unshare", "--mount", "sh", "-c", ENTER, "sh", str(root), str(ROOT))
    return Wine(WORK / "prefix32", enter)


@contextmanager
def _screen() -> Iterator[str]:
    """A screen that nobody sees; the setup is a window even where it is silent."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None  # noqa: S101 - for mypy: a pipe was asked for
        try:
            yield f":{process.stdout.readline().strip()}"
        finally:
            process.terminate()


def _within(seconds: float, is_so: Callable[[], bool]) -> bool:
    """Whether it becomes true in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(1)
    return True
