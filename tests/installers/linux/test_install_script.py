"""The tarball's scripts install for one person, and take all of it away again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.paths import Home
from core.services.data_folder import BEFORE, made_by_us
from core.storage.home_lock import hold

HERE = Path(__file__).resolve().parents[3] / "installers" / "linux"
SCRIPTS = ("install.sh", "uninstall.sh")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux")


class Person:
    """Somebody with a home and an unpacked tarball; their name has a space in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "a home"
        self.home.mkdir()
        self.tarball = folder / "waggle-0.1.0"
        icons = self.tarball / "_internal" / "resources" / "icons"
        icons.mkdir(parents=True)
        (icons / "waggle.svg").write_text("<svg/>", "ascii")
        (self.tarball / "install.toml").write_text('kind = "tarball"\n', "ascii")
        for name in ("waggle", "waggle-app"):
            (self.tarball / name).write_text(f"#!/bin/sh\necho {name} 1\n", "ascii")
            (self.tarball / name).chmod(0o755)
        for name in SCRIPTS:
            shutil.copy(HERE / name, self.tarball)

    def run(self, script: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """What a script says to them; ``more`` goes into its environment."""
        return subprocess.run(  # noqa: S603 - our own script
            ["/bin/sh", script, *arguments],
            check=False,
            capture_output=True,
            env={"HOME": str(self.home), "PATH": os.environ["PATH"]} | more,
            text=True,
        )

    def path_with(self, program: str, script: str) -> str:
        """A PATH on which ``script`` stands in for ``program``."""
        stand_in = self.tarball.with_name("bin") / program
        stand_in.parent.mkdir()
        stand_in.write_text(f"#!/bin/sh\n{script}", "ascii")
        stand_in.chmod(0o755)
        return f"{stand_in.parent}:{os.environ['PATH']}"

    def install(self) -> None:
        """Install what was unpacked."""
        done = self.run(self.tarball / "install.sh")
        assert (done.returncode, done.stderr) == (0, "")

    def uninstall(self, *arguments: str, **more: str) -> None:
        """Remove what is installed."""
        done = self.run(self.home / ".local/lib/waggle/uninstall.sh", *arguments, **more)
        assert (done.returncode, done.stderr) == (0, "")

    def files(self) -> set[str]:
        """Everything in their home that is no folder, but the desktop's own index."""
        found = {path for path in self.home.rglob("*") if path.is_symlink() or path.is_file()}
        names = {path.relative_to(self.home).as_posix() for path in found}
        return names - {".local/share/applications/mimeinfo.cache"}


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_it_can_be_started_from_the_terminal_and_the_menu(person: Person) -> None:
    """Both programs run from ~/.local/bin; the entry quotes a home with a space."""
    person.install()
    for name in ("waggle", "waggle-app"):
        program = person.home / ".local/bin" / name
        done = subprocess.run([program], check=True, capture_output=True)  # noqa: S603 - our own
        assert done.stdout == f"{name} 1\n".encode()
    entry = (person.home / ".local/share/applications/waggle.desktop").read_text("utf-8")
    assert f'Exec="{person.home}/.local/lib/waggle/waggle-app" %u\n' in entry
    assert "MimeType=x-scheme-handler/waggle;\n" in entry


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="no such program")
def test_its_entry_is_valid(person: Person) -> None:
    """The desktops' own checker has nothing to say."""
    person.install()
    entry = person.home / ".local/share/applications/waggle.desktop"
    subprocess.run(["desktop-file-validate", entry], check=True)  # noqa: S603, S607 - on PATH


def test_removing_it_leaves_only_what_was_practised(person: Person) -> None:
    """And with --data not even that."""
    person.install()
    data = person.home / ".local/share/waggle/ledger.sqlite"
    data.parent.mkdir()
    data.touch()
    autostart = person.home / ".config/autostart/waggle.desktop"
    autostart.parent.mkdir(parents=True)
    autostart.touch()
    person.uninstall()
    assert person.files() == {".local/share/waggle/ledger.sqlite"}
    person.install()
    person.uninstall("--data")
    assert person.files() == set()


@pytest.mark.parametrize("own", [(), ("thesis.txt", "models-of-ships/galleon")])
def test_of_a_folder_that_was_named_only_what_waggle_made_is_removed(
    person: Person, own: tuple[str, ...]
) -> None:
    """All of that goes, and the folder too where nothing else is in it."""
    person.install()
    data = Home(person.home / "big.disk")
    before = data.root / f"{BEFORE}2026-01-01"
    cut_off = data.root / "identity.0123abcd.draft" / "new"
    precious = {person.home / "big.draft", *(data.root / name for name in own)}
    for path in (*made_by_us(data), data.lock, before, cut_off, *precious):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    data.models.unlink()
    data.models.mkdir()
    (data.models / "weights").touch()
    person.uninstall("--data", WAGGLE_HOME=str(data.root))
    assert person.files() == {path.relative_to(person.home).as_posix() for path in precious}
    assert data.root.exists() == bool(own)


def test_a_folder_that_is_reached_by_a_link_is_installed_itself(person: Person) -> None:
    """Not the link, in whose place the older one would be lost."""
    person.install()
    link = person.tarball.with_name("newest")
    link.symlink_to(person.tarball)
    assert person.run(link / "install.sh").returncode == 0
    place = person.home / ".local/lib/waggle"
    assert not place.is_symlink()
    assert (place / "waggle-app").is_file()


def test_what_is_installed_does_not_take_its_own_place(person: Person) -> None:
    """However it is reached: it would be lost, and a link to itself be left."""
    person.install()
    before = person.files()
    link = person.home.with_name("link")
    link.symlink_to(person.home / ".local/lib/waggle")
    done = person.run(link / "install.sh")
    assert (done.returncode, done.stderr) == (0, "")
    assert person.files() == before


def test_a_newer_one_takes_the_place_of_the_older(person: Person) -> None:
    """Nothing of the older stays among its files."""
    (person.tarball / "_internal" / "old.so").touch()
    person.install()
    (person.tarball / "_internal" / "old.so").unlink()
    (person.tarball / "waggle").write_text("#!/bin/sh\necho waggle 2\n", "ascii")
    person.install()
    place = person.home / ".local/lib"
    assert {path.name for path in place.iterdir()} == {"waggle"}
    assert not (place / "waggle/_internal/old.so").exists()
    assert "waggle 2" in (place / "waggle/waggle").read_text("ascii")


@pytest.mark.parametrize("name", ["waggle", "waggle.new", "waggle.old"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_folder_that_is_no_waggle_is_left_alone(person: Person, name: str, script: str) -> None:
    """Whoever has one of a name that is needed keeps it, and is told before anything is changed."""
    precious = person.home / f".local/lib/{name}/precious.txt"
    precious.parent.mkdir(parents=True)
    precious.touch()
    done = person.run(person.tarball / script)
    assert person.files() == {f".local/lib/{name}/precious.txt"}
    if script == "install.sh" or name == "waggle":
        assert done.returncode == 1
        assert f"/{name} is " in done.stderr
        assert "is no Waggle. Move it away, then start this again." in done.stderr


def test_half_a_copy_does_not_stay(person: Person) -> None:
    """Where the disk is full, it would take what little is left."""
    path = person.path_with("cp", 'mkdir "$3"\ntouch "$3/half"\nexit 1\n')
    assert person.run(person.tarball / "install.sh", PATH=path).returncode == 1
    assert person.files() == set()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_removal_that_was_cut_off_does_not_stop_the_next(person: Person, script: str) -> None:
    """Half a Waggle, without what tells that it is one, is not taken for somebody's own folder."""
    cut_off = f"""for path; do
    if [ -e "$path/install.toml" ]; then unlink "$path/install.toml"; exit 1; fi
done
exec {shutil.which("rm")} "$@"
"""
    person.install()
    path = person.path_with("rm", cut_off)
    assert person.run(person.tarball / script, PATH=path).returncode == 1
    done = person.run(person.tarball / script)
    assert (done.returncode, done.stderr) == (0, "")
    left = {path.name for path in (person.home / ".local/lib").iterdir()}
    assert left == ({"waggle"} if script == "install.sh" else set())


@pytest.mark.parametrize("name", ["waggle", "waggle-app"])
@pytest.mark.parametrize("target", [None, "/usr/bin/env", "/nowhere/waggle"])
def test_a_program_of_the_same_name_is_not_replaced(
    person: Person, name: str, target: str | None
) -> None:
    """A script, or a link of pipx, stays, and its owner is told before anything is changed."""
    own = person.home / ".local/bin" / name
    own.parent.mkdir(parents=True)
    if target is None:
        own.write_text("mine", "ascii")
    else:
        own.symlink_to(target)
    done = person.run(person.tarball / "install.sh")
    assert done.returncode == 1
    assert f"/{name} is there already and does not lead to this Waggle. Move it" in done.stderr
    assert person.files() == {f".local/bin/{name}"}


@pytest.mark.parametrize("leads_elsewhere", [False, True])
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_waggle_that_runs_is_left_alone(
    person: Person, script: str, *, leads_elsewhere: bool
) -> None:
    """Also where the home leads to another disk; once it has quit, the script does its work."""
    program = person.tarball / "waggle-app"
    shutil.copy(shutil.which("cat") or "", program)
    person.install()
    if leads_elsewhere:
        person.home = person.home.rename(person.home.with_name("disk"))
        person.home.with_name("a home").symlink_to(person.home)
        person.home = person.home.with_name("a home")
    before = person.files()
    place = person.home / ".local/lib/waggle"
    with subprocess.Popen([place / "waggle-app"], stdin=subprocess.PIPE):  # noqa: S603 - our own
        done = person.run(person.tarball / script)
    assert done.returncode == 1
    assert done.stderr.startswith("Waggle is running. Quit it, then start this again.")
    assert person.files() == before
    assert person.run(person.tarball / script).returncode == 0


def test_data_that_another_waggle_holds_are_left_alone(person: Person) -> None:
    """Also where it is not the one that was installed here; they go once it let go of them."""
    script = person.tarball / "uninstall.sh"
    data = Home(person.home / ".local/share/waggle")
    data.prepare()
    with hold(data):
        done = person.run(script, "--data")
    assert done.returncode == 1
    assert done.stderr.startswith(f"Waggle is running on {data.root}. Quit it, then start this")
    assert data.lock.exists()
    assert person.run(script, "--data").returncode == 0
    assert not data.root.exists()


def test_without_flock_data_are_left_alone(person: Person) -> None:
    """It is not said that Waggle runs on them where nothing can tell."""
    data = Home(person.home / ".local/share/waggle")
    data.prepare()
    data.lock.touch()
    before = person.files()
    few = person.path_with("readlink", f'exec {shutil.which("readlink")} "$@"\n').split(":")[0]
    done = person.run(person.tarball / "uninstall.sh", "--data", PATH=few)
    assert done.returncode == 1
    assert "Without flock, nothing tells" in done.stderr
    assert person.files() == before


def lay_leftovers(person: Person) -> None:
    """What updates that were cut off leave beside the folder."""
    place = person.home / ".local/lib"
    for name in ("waggle.new", "waggle.old"):
        (place / name).mkdir(parents=True)
        (place / name / "install.toml").touch()
    (place / ".waggle.part-x1").mkdir()
    (place / ".waggle.part-x1/half.so").touch()


def test_leftovers_of_updates_do_not_keep_it_from_being_installed(person: Person) -> None:
    """They are Waggle's own; the drafts may be those of a Waggle that runs."""
    lay_leftovers(person)
    person.install()
    names = {path.name for path in (person.home / ".local/lib").iterdir()}
    assert names == {"waggle", ".waggle.part-x1"}


def test_leftovers_of_updates_go_with_the_program(person: Person) -> None:
    """Drafts, too."""
    person.install()
    lay_leftovers(person)
    (person.home / ".local/lib/.waggle.lock").touch()
    person.uninstall()
    assert person.files() == set()


def test_programs_of_the_same_name_are_left_alone(person: Person) -> None:
    """Only links of ours are removed."""
    person.install()
    own = person.home / ".local/bin/waggle"
    own.unlink()
    own.write_text("mine", "ascii")
    person.uninstall()
    assert person.files() == {".local/bin/waggle"}


def test_an_unknown_option_removes_nothing(person: Person) -> None:
    """A typing error is no agreement."""
    person.install()
    before = person.files()
    done = person.run(person.home / ".local/lib/waggle/uninstall.sh", "--dat")
    assert done.returncode == 2
    assert person.files() == before


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("script", SCRIPTS)
def test_shellcheck_has_nothing_to_say(script: str) -> None:
    """Quotes, exit codes and portability."""
    subprocess.run(["shellcheck", HERE / script], check=True)  # noqa: S603, S607 - on PATH
