"""What a program asks of the system is read off its headers."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from installers.linux.elf import architecture, asked_of_system, binaries, is_elf, parse, strays

TOLD = """\
 0x0000000000000001 (NEEDED)             Shared library: [libGL.so.1]
 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]
 0x000000000000001d (RUNPATH)            Library runpath: [$ORIGIN/../lib:/tmp/lib]
  0x0010:   Name: GLIBC_2.2.5  Flags: none  Version: 9
  0x0020:   Name: GLIBC_2.34  Flags: none  Version: 8
  0x0020:   Name: GLIBCXX_3.4  Flags: none  Version: 8
"""

needs_readelf = pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf is missing")
needs_cc = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="makes a Linux library"
)


def make_library(path: Path, *options: str) -> Path:
    """A small shared library."""
    path.parent.mkdir(parents=True, exist_ok=True)
    source = path.with_suffix(".c")
    source.write_text('#include <stdio.h>\nint say(void) { return puts(""); }\n', "ascii")
    command = ["cc", "-shared", "-fPIC", *options, "-o", str(path), str(source)]
    subprocess.run(command, check=True)  # noqa: S603 - our own command line
    source.unlink()
    return path


def test_needs_places_and_the_c_library_are_read() -> None:
    """What readelf says becomes names, folders and a release; 2.34 is newer than 2.2.5."""
    binary = parse(Path("a.so"), TOLD)
    assert binary.needed == ("libGL.so.1", "libc.so.6")
    assert binary.searched == ("$ORIGIN/../lib", "/tmp/lib")  # noqa: S108 - a name in a fake header
    assert binary.glibc == (2, 34)


def test_a_library_that_needs_nothing_is_read() -> None:
    """Silence means nothing is needed, and no C library."""
    binary = parse(Path("a.so"), "There is no dynamic section in this file.\n")
    assert (binary.needed, binary.searched, binary.glibc) == ((), (), ())


@needs_cc
@needs_readelf
def test_only_what_the_folder_does_not_hold_is_asked_of_the_system(tmp_path: Path) -> None:
    """A library beside it is no need; the C library is."""
    held = make_library(tmp_path / "lib" / "libheld.so")
    make_library(tmp_path / "user.so", f"-L{held.parent}", "-Wl,--no-as-needed", "-lheld")
    (tmp_path / "notes.txt").write_text("no library", "ascii")
    asked = asked_of_system(tmp_path, list(binaries(tmp_path)))
    assert "libc.so.6" in asked
    assert "libheld.so" not in asked


@needs_cc
@needs_readelf
@pytest.mark.parametrize(
    "place",
    ["/tmp", "$ORIGIN/../..", "relative", "", "$ORIGIN/../../folder2"],  # noqa: S108 - a place to refuse
)
def test_a_place_outside_of_the_folder_is_a_stray(tmp_path: Path, place: str) -> None:
    """Whoever can write there could slip code in."""
    make_library(tmp_path / "folder" / "lib" / "user.so", f"-Wl,-rpath,{place}:")
    assert place in [where for _, where in strays(tmp_path / "folder")]


@needs_cc
@needs_readelf
def test_a_place_relative_to_the_library_is_none(tmp_path: Path) -> None:
    """As long as it stays below the folder."""
    make_library(tmp_path / "folder" / "lib" / "user.so", "-Wl,-rpath,$ORIGIN/../other:$ORIGIN")
    assert strays(tmp_path / "folder") == []


def test_the_processor_is_in_the_header(tmp_path: Path) -> None:
    """Bytes 18 and 19 tell; anything else is refused."""
    program = tmp_path / "waggle"
    program.write_bytes(b"\x7fELF" + bytes(14) + b"\x3e\x00" + bytes(40))
    assert architecture(program) == "amd64"
    program.write_bytes(b"\x7fELF" + bytes(14) + b"\xb7\x00" + bytes(40))
    assert architecture(program) == "arm64"
    for other in (b"\x7fELF" + bytes(14) + b"\x03\x00", b"#!/bin/sh\n" + bytes(20), b""):
        program.write_bytes(other)
        with pytest.raises(ValueError, match="not a program"):
            architecture(program)


def test_links_and_folders_are_no_programs(tmp_path: Path) -> None:
    """A link would be looked at twice."""
    program = tmp_path / "waggle"
    program.write_bytes(b"\x7fELF")
    link = tmp_path / "link"
    link.symlink_to(program)
    assert (is_elf(program), is_elf(link), is_elf(tmp_path)) == (True, False, False)
