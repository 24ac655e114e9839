"""Libraries forget where their maker kept others, and work as before."""

import ctypes
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installers.linux.elf import binaries, strays
from installers.linux.rpath import forget_strays, without_search

needs_cc = pytest.mark.skipif(
    sys.platform != "linux" or not all(map(shutil.which, ("cc", "readelf"))),
    reason="makes a Linux library",
)


def compile_library(path: Path, *options: str) -> None:
    """A library with one function, which returns 7."""
    source = path.with_suffix(".c")
    source.write_text("int seven(void) { return 7; }\n", "ascii")
    command = ["cc", "-shared", "-fPIC", *options, "-o", str(path), str(source)]
    subprocess.run(command, check=True)  # noqa: S603 - our own command line
    source.unlink()


@needs_cc
@pytest.mark.parametrize("kind", ["--enable-new-dtags", "--disable-new-dtags"])
def test_a_stray_is_forgotten_and_the_library_still_works(tmp_path: Path, kind: str) -> None:
    """RUNPATH and the older RPATH alike; what it needs stays."""
    compile_library(tmp_path / "a.so", f"-Wl,{kind},-rpath,/tmp/elsewhere")
    before = next(binaries(tmp_path)).needed
    assert forget_strays(tmp_path) == 1
    assert strays(tmp_path) == []
    assert next(binaries(tmp_path)).needed == before
    assert ctypes.CDLL(str(tmp_path / "a.so")).seven() == 7


@needs_cc
def test_a_sound_library_is_not_touched(tmp_path: Path) -> None:
    """Byte by byte: its maker's signature, if any, still holds."""
    compile_library(tmp_path / "a.so", "-Wl,-rpath,$ORIGIN")
    before = (tmp_path / "a.so").read_bytes()
    assert forget_strays(tmp_path) == 0
    assert (tmp_path / "a.so").read_bytes() == before


@given(st.binary(max_size=64))
def test_what_is_no_library_is_refused(told: bytes) -> None:
    """Rather than written back in pieces."""
    with pytest.raises(ValueError, match="not a 64-bit"):
        without_search(told[:60])  # a header alone takes 64 bytes


@given(st.binary(min_size=58, max_size=200))
def test_a_broken_library_is_refused_or_left_alone(rest: bytes) -> None:
    """Whatever its header claims, no byte is added or lost."""
    library = b"\x7fELF\x02\x01" + rest
    with suppress(ValueError):
        assert len(without_search(library)) == len(library)
