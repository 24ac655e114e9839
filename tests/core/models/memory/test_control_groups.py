"""What a container, or any group of processes with a limit, may still take."""

from pathlib import Path

import pytest

from core.models.memory.control_groups import GroupMemory, limited_groups

V1_NO_LIMIT = "9223372036854771712"


def new(folder: Path, limit: str, used: int, cached: int) -> None:
    """A group of cgroup v2."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(f"{limit}\n")
    (folder / "memory.current").write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 5\ninactive_file {cached}\nactive_file 0\n")


def old(folder: Path, limit: str, used: int, cached: int) -> None:
    """One of cgroup v1, whose own files are counted apart from those of groups within."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.limit_in_bytes").write_text(f"{limit}\n")
    (folder / "memory.usage_in_bytes").write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"inactive_file 1\ntotal_inactive_file {cached}\n")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The file that names the groups of a process."""
    return tmp_path / "own"


def test_a_container_has_what_its_group_has_left(tmp_path: Path, own: Path) -> None:
    """Its own limit and that of every group around it; files that were merely read are no loss."""
    own.write_text("1:name=x:/y\n0::/outer/inner\n")
    new(tmp_path / "outer" / "inner", "max", 10, 0)
    assert list(limited_groups(tmp_path, own)) == []
    new(tmp_path / "outer", "1000", 600, 500)
    assert list(limited_groups(tmp_path, own)) == [GroupMemory(1000, 900)]
    new(tmp_path / "outer" / "inner", "300", 400, 50)
    found = [GroupMemory(300, 0), GroupMemory(1000, 900)]
    assert list(limited_groups(tmp_path, own)) == found


def test_the_older_form_of_groups_counts_as_well(tmp_path: Path, own: Path) -> None:
    """With statistics of all that is within, and a number that stands for no limit."""
    own.write_text("5:devices:/outer\n4:cpu,memory:/outer/inner\n0::/\n")
    memory = tmp_path / "memory"
    old(memory / "outer", V1_NO_LIMIT, 600, 500)
    assert list(limited_groups(tmp_path, own)) == []
    old(memory / "outer" / "inner", "1000", 600, 500)
    assert list(limited_groups(tmp_path, own)) == [GroupMemory(1000, 900)]


@pytest.mark.parametrize(
    ("line", "make"), [("0::/docker/12ab", new), ("4:memory:/docker/12ab", old)]
)
def test_a_container_may_see_its_group_as_the_root(
    tmp_path: Path, own: Path, line: str, make: object
) -> None:
    """Where the file names a place that only the host has."""
    own.write_text(f"{line}\n")
    assert callable(make)
    make(tmp_path if make is new else tmp_path / "memory", "1000", 600, 0)
    assert list(limited_groups(tmp_path, own)) == [GroupMemory(1000, 400)]


def test_what_is_mapped_is_not_free(tmp_path: Path, own: Path) -> None:
    """Code and weights are read again and again; other files can be read again when needed."""
    own.write_text("0::/\n")
    new(tmp_path, "1000", 900, 0)
    (tmp_path / "memory.stat").write_text("inactive_file 10\nactive_file 500\nfile_mapped 300\n")
    assert list(limited_groups(tmp_path, own)) == [GroupMemory(1000, 310)]


@pytest.mark.parametrize("content", ["", "1:memory:/old\n", "0::/gone\n"])
def test_without_groups_there_is_no_limit(tmp_path: Path, own: Path, content: str) -> None:
    """On other systems, or where the group is gone."""
    own.write_text(content)
    assert list(limited_groups(tmp_path / "groups", own)) == []
    assert list(limited_groups(tmp_path / "groups", tmp_path / "missing")) == []


@pytest.mark.parametrize("damaged", ["memory.max", "memory.current", "memory.stat"])
def test_a_group_that_cannot_be_read_limits_nothing(
    tmp_path: Path, own: Path, damaged: str
) -> None:
    """It is better to try than to refuse for what nobody knows."""
    own.write_text("0::/\n")
    new(tmp_path, "1000", 600, 0)
    (tmp_path / damaged).write_text("what is this")
    assert list(limited_groups(tmp_path, own)) == []
