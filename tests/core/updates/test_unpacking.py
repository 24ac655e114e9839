"""Archives of strangers, good and hostile."""

import io
import lzma
import os
import tarfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UpdateError
from core.updates.transport import StoppedError
from core.updates.unpacking import ArchiveLimits, unpack
from tests.posix import mode_of

Entry = tuple[str, bytes, str, int]  # name, kind, content or target of a link, mode


def tarred(entries: Sequence[Entry], mode: str = "w") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as tar:  # type: ignore[call-overload]  # a literal of its callers
        for name, kind, text, bits in entries:
            member = tarfile.TarInfo(name)
            member.type, member.mode = kind, bits
            is_file = kind == tarfile.REGTYPE
            member.size = len(text.encode()) if is_file else 0
            member.linkname = "" if is_file else text
            tar.addfile(member, io.BytesIO(text.encode()) if is_file else None)
    return made.getvalue()


def file(name: str, text: str = "x", mode: int = 0o644) -> Entry:
    return (name, tarfile.REGTYPE, text, mode)


def link(name: str, target: str) -> Entry:
    return (name, tarfile.SYMTYPE, target, 0o777)


@pytest.fixture
def take(tmp_path: Path) -> Callable[..., Path]:
    """Unpack these bytes; the folder."""

    def make(data: bytes, limits: ArchiveLimits | None = None) -> Path:
        archive, into = tmp_path / "archive", tmp_path / "inside" / "into"
        archive.write_bytes(data)
        into.mkdir(parents=True)
        unpack(archive, into, Event(), limits)
        return into

    return make


Take = Callable[..., Path]


@pytest.mark.parametrize("mode", ["w", "w:xz", "w:gz"])
def test_a_good_archive_is_unpacked(take: Take, mode: str) -> None:
    """Files, folders, links, and what can be run; whichever way it is compressed."""
    entries = [
        ("w", tarfile.DIRTYPE, "", 0o755),
        file("w/waggle", "#!", 0o755),
        file("w/lib/deep/a.so", "code", 0o600),
        link("w/a.so", "lib/deep/a.so"),
        link("w/folder", "lib"),
    ]
    into = take(tarred(entries, mode))
    assert (into / "w/a.so").read_text() == "code"
    assert (into / "w/folder/deep/a.so").read_text() == "code"
    assert mode_of(into / "w/waggle") & 0o777 == 0o755


def test_links_that_lead_nowhere_do_no_harm(take: Take) -> None:
    """A package that leaves out what nobody needs may still have a link to it."""
    into = take(tarred([file("w/a"), link("w/gone", "nothing"), link("w/round", "round")]))
    assert (into / "w/gone").is_symlink()
    assert not (into / "w/gone").exists()


def test_nobody_else_may_write_what_was_unpacked(take: Take) -> None:
    """Nor does anything run as somebody else."""
    into = take(tarred([file("w/a", mode=0o6777), ("w/d", tarfile.DIRTYPE, "", 0o7777)]))
    assert mode_of(into / "w/a") & 0o7022 == 0
    assert mode_of(into / "w/d") & 0o7022 == 0


HOSTILE: dict[str, list[Entry]] = {
    "an absolute name": [file("/tmp/evil")],  # noqa: S108 - it must not get there
    "a name that climbs": [file("w/../../evil")],
    "a name with a backslash": [file("w\\..\\evil")],
    "a name with a line break": [file("w/a\nb")],
    "a link out": [link("w", "../outside"), ("outside", tarfile.DIRTYPE, "", 0o755)],
    "an absolute link": [link("w", "/etc")],
    "a file through a link": [("d", tarfile.DIRTYPE, "", 0o755), link("w", "d"), file("w/evil")],
    "a file over a link": [link("w", "d"), file("w")],
    "links that only together lead out": [
        ("a/b/c", tarfile.DIRTYPE, "", 0o755),
        link("up", "a/b/c"),
        link("out", "up/../../../.."),
    ],
    "a hard link": [file("a"), ("b", tarfile.LNKTYPE, "a", 0o644)],
    "a device": [("w", tarfile.CHRTYPE, "", 0o644)],
    "a pipe": [("w", tarfile.FIFOTYPE, "", 0o644)],
    "a file with holes": [("w", tarfile.GNUTYPE_SPARSE, "", 0o644)],
    "a name twice": [file("a"), file("a")],
    "a folder over a file": [file("a"), file("a/b")],
    "a file over a folder": [file("a/b"), file("a")],
    "a very long name": [file("n" * 1_001)],
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused(take: Take, tmp_path: Path, what: str) -> None:
    """And nothing gets out of the folder."""
    with pytest.raises(UpdateError, match="not unpacked"):
        take(tarred(HOSTILE[what]))
    assert {path.name for path in tmp_path.iterdir()} == {"archive", "inside"}
    assert {path.name for path in (tmp_path / "inside").iterdir()} == {"into"}


@pytest.mark.parametrize(
    "told",
    [
        {"GNU.sparse.size": "1"},
        {"GNU.sparse.map": "0,1"},
        {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"},
    ],
)
def test_no_list_of_holes_is_read(take: Take, told: dict[str, str]) -> None:
    """It may be as long as the archive, and nobody could stop that."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", pax_headers={}) as tar:
        member = tarfile.TarInfo("w")
        member.size, member.pax_headers = 512, told
        tar.addfile(member, io.BytesIO(b"1\n0\n1\n".ljust(512, b"\0")))
    with pytest.raises(UpdateError, match="w is neither file nor folder"):
        take(made.getvalue())


def test_too_many_files_are_refused(take: Take) -> None:
    """Empty ones, too."""
    with pytest.raises(UpdateError, match="larger"):
        take(tarred([file(f"f{n}", "") for n in range(11)]), ArchiveLimits(members=10))


def test_too_many_bytes_are_refused_before_they_are_written(take: Take, tmp_path: Path) -> None:
    """A small archive may hold a lot."""
    with pytest.raises(UpdateError, match="larger"):
        take(tarred([file("w", "0" * 1_000_001)], "w:xz"), ArchiveLimits(bytes=1_000_000))
    assert not (tmp_path / "inside" / "into" / "w").exists()


@pytest.mark.parametrize(
    "kind",
    [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE],
)
def test_a_large_header_is_refused_before_it_is_read(take: Take, kind: bytes) -> None:
    """Its size is announced; what it says would be held in memory as a whole, and is not there."""
    member = tarfile.TarInfo("w")
    member.type, member.size = kind, 1 << 32
    with pytest.raises(UpdateError, match="larger"):
        take(member.tobuf(tarfile.GNU_FORMAT))


def test_a_name_longer_than_its_field_is_no_large_header(take: Take) -> None:
    """Both formats put it into a header of its own."""
    name = "/".join(["n" * 100] * 3)
    assert (take(tarred([file(name)])) / name).read_text() == "x"


@pytest.mark.parametrize(
    "data", [b"", b"no archive", lzma.compress(b"no archive"), b"\x1f\x8b\x08"]
)
def test_what_is_no_archive_is_refused(take: Take, data: bytes) -> None:
    """In words."""
    with pytest.raises(UpdateError, match="damaged"):
        take(data)


def test_a_cut_archive_is_refused(take: Take) -> None:
    """As damaged."""
    whole = tarred([file("w", os.urandom(20_000).hex())], "w:xz")
    with pytest.raises(UpdateError, match="damaged"):
        take(whole[: len(whole) // 2])


def test_it_can_be_stopped(tmp_path: Path) -> None:
    """Between two files."""
    (tmp_path / "archive").write_bytes(tarred([file("a")]))
    (tmp_path / "into").mkdir()
    stop = Event()
    stop.set()
    with pytest.raises(StoppedError):
        unpack(tmp_path / "archive", tmp_path / "into", stop)


names = st.lists(st.sampled_from(["a", "b", "..", ".", "", "c\\d", "/"]), max_size=4).map("/".join)
kinds = st.sampled_from(
    [tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE]
)


@given(st.lists(st.tuples(names, kinds, names, st.integers(0, 0o7777)), max_size=6))
def test_no_archive_gets_out_of_its_folder(entries: list[Entry]) -> None:
    """Whatever its names and links are, it is refused, or all of it stays inside."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "archive").write_bytes(tarred(entries))
        into = root / "x" / "y" / "into"
        into.mkdir(parents=True)
        try:
            unpack(root / "archive", into, Event())
        except UpdateError:
            pass
        else:
            for path in into.rglob("*"):
                assert Path(os.path.realpath(path)).is_relative_to(into.resolve())
        outside = {p.relative_to(root).as_posix() for p in root.rglob("*") if into not in p.parents}
        assert outside == {"archive", "x", "x/y", "x/y/into"}


@given(st.binary(max_size=2_000), st.integers(0, 4_000))
def test_no_bytes_do_harm(garbage: bytes, at: int) -> None:
    """A header that was damaged anywhere ends in words, or in files inside."""
    data = bytearray(tarred([file("w/a", "text"), link("w/b", "a")]))
    data[at : at + len(garbage)] = garbage
    with TemporaryDirectory() as folder:
        (Path(folder) / "archive").write_bytes(data)
        into = Path(folder) / "into"
        into.mkdir()
        with suppress(UpdateError):
            unpack(
                Path(folder) / "archive", into, Event(), ArchiveLimits(members=50, bytes=100_000)
            )
        assert {path.name for path in Path(folder).iterdir()} == {"archive", "into"}
