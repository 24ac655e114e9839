"""Installs the Debian package on a fresh system, uses it as a newcomer would, and removes it.

    python3 -m installers.smoke PACKAGE.deb [--base FOLDER] [--keep FOLDER]

Needs root, debootstrap, Xvfb, xdotool and readelf. The system in which Waggle runs has no network,
no Python and nothing of this folder; what it does is seen on its screen and in its files.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from installers import audit
from installers.clean_root import USER_HOME, CleanRoot, Machine, machine_on, make_root
from installers.newcomer import Stage, spend_a_day
from installers.screen import own_screen
from installers.steps import SmokeError, refuse, step, verdict

PLACE: Final = Path("/usr/lib/waggle")

_FONTS = re.compile(r"/\.cache(/fontconfig(/[^/]+)?)?$")
"""What the system's font library remembers of all fonts, for every program of a person."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all steps; returns 1 if one fails, and says why."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("package", type=Path, help="the .deb")
    parser.add_argument("--base", type=Path, help="a Debian that debootstrap made, to save time")
    parser.add_argument("--keep", type=Path, help="where logs and the last picture go on failure")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="waggle-smoke-") as folder:

        def test() -> None:
            root = make_clean(Path(folder), asked.package, asked.base)
            smoke(asked.package, root, asked.keep)

        return verdict(test)


def make_clean(folder: Path, package: Path, base: Path | None) -> CleanRoot:
    """A Debian that holds what ``package`` depends on, and not the package."""
    folder.chmod(0o755)  # the newcomer has to get through it
    with step("a fresh system"):
        root = make_root(folder / "root", base)
    with step("what the package depends on"):
        needs = subprocess.run(  # noqa: S603 - our own command line
            ["dpkg-deb", "--field", package, "Depends"],  # noqa: S607 - on PATH
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        root.administer("apt-get", "update", "-qq")
        root.administer(
            "apt-get", "satisfy", "-qq", "--no-install-recommends", "--yes", needs.strip()
        )
    return root


def smoke(package: Path, root: CleanRoot, keep: Path | None) -> None:
    """Install, use, remove.

    Raises:
        SmokeError: something is not as it should be.
        CalledProcessError: a command failed.
    """
    before = root.listing()
    with step("installing"):
        install(root, package)
    with step("looking at what was installed"):
        check_files(root)
    with own_screen() as screen, machine_on(root) as machine:
        with step("asking for help"):
            data = root.inside(data_folder(machine))
        try:
            spend_a_day(Stage(root, machine, screen, data))
        except (SmokeError, OSError, subprocess.SubprocessError):
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(screen.dump, keep / "screen.xwd")
                shutil.copytree(data, keep / "data", dirs_exist_ok=True)
            raise
    with step("removing"):
        root.administer("dpkg", "--purge", "waggle")
    with step("looking at what is left"):
        check_left(root, data, before)


def install(root: CleanRoot, package: Path) -> None:
    """Let dpkg install it, which fails where a dependency is missing."""
    guest = root.folder / package.name
    shutil.copyfile(package, guest)
    root.administer("dpkg", "--install", f"/{package.name}")
    guest.unlink()


def check_files(root: CleanRoot) -> None:
    """Nobody but root can change what runs, and no library is searched elsewhere."""
    place = root.inside(PLACE)
    refuse("things that others can change", audit.writable(place))
    refuse("libraries that are searched elsewhere", audit.searched_elsewhere(place))
    if 'kind = "deb"' not in (place / "install.toml").read_text("ascii"):
        raise SmokeError("it does not know that it came as a Debian package")


def data_folder(machine: Machine) -> Path:
    """The one that ``waggle --help`` names, so that a person knows what there is to delete."""
    found = re.search(r"default:\s+(/\S+)\)", machine.run("waggle", "--help"))
    if found is None or not found[1].startswith(f"{USER_HOME}/"):
        raise SmokeError("waggle --help does not say where everything is kept")
    return Path(found[1])


def check_left(root: CleanRoot, data: Path, before: set[str]) -> None:
    """Nothing but the data folder stays, and nothing at all once that is deleted."""
    kept = data.relative_to(root.folder).as_posix()
    above = {parent.as_posix() for parent in Path(kept).parents}
    listed = {name for name in root.listing() if not _FONTS.search(name)}
    left = listed - before - above
    if f"{kept}/identity" not in left:
        raise SmokeError("what the person practised went with the package")
    beside = {name for name in left if name != kept and not name.startswith(f"{kept}/")}
    refuse("files left beside the data folder", beside)
    refuse("files missing that were there before", before - listed)
    shutil.rmtree(data)
    after = {name for name in root.listing() if not _FONTS.search(name)}
    refuse("files left without the data folder", after - before - above)


if __name__ == "__main__":
    sys.exit(main())
