"""Versions and packages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.updates.releases import (
    Installable,
    Package,
    newest,
    parse_version,
    read_package,
    this_platform,
    version_in_words,
)

LINUX = Installable("linux-x86_64", ("tar.xz", "tar.gz"))
numbers = st.integers(0, 999_999)


@given(st.tuples(numbers, numbers, numbers))
def test_a_version_comes_back_from_its_words(version: tuple[int, int, int]) -> None:
    """And is compared by numbers, not by letters."""
    assert parse_version(version_in_words(version)) == version


@pytest.mark.parametrize(
    "text", ["", "1.2", "1.2.3.4", "01.2.3", "1.2.3rc1", " 1.2.3", "\u0661.2.3"]
)
def test_what_is_no_version_is_none(text: str) -> None:
    """Nothing is guessed."""
    assert parse_version(text) is None


def test_a_package_says_what_it_is() -> None:
    """By its name alone."""
    assert read_package("waggle-0.10.2-linux-x86_64.tar.xz") == Package(
        "waggle-0.10.2-linux-x86_64.tar.xz", (0, 10, 2), "linux-x86_64", "tar.xz"
    )


@given(st.text(max_size=60))
def test_no_other_name_is_one(name: str) -> None:
    """Names come from outside; one that is read holds nothing that leads out of a folder."""
    found = read_package(name)
    assert found is None or not set("/\\\0") & set(name)


@pytest.mark.parametrize("name", ["../waggle-1.0.0-linux-x86_64.exe", "waggle-1.0-linux-x.exe"])
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    """They would be written below our folder."""
    assert read_package(name) is None


def test_the_newest_that_fits_is_taken() -> None:
    """0.10 is newer than 0.9; other systems and other forms are left out."""
    names = [
        "waggle-0.9.0-linux-x86_64.tar.xz",
        "waggle-0.10.0-linux-x86_64.tar.xz",
        "waggle-0.11.0-windows-x86_64.exe",
        "waggle-0.11.0-linux-arm64.tar.xz",
        "waggle-0.11.0-linux-x86_64.exe",
        "read me",
    ]
    found = newest(names, LINUX, (0, 1, 0))
    assert found is not None
    assert found.version == (0, 10, 0)


@pytest.mark.parametrize("above", [(0, 2, 0), (0, 2, 1), (1, 0, 0)])
def test_there_is_no_way_back(above: tuple[int, int, int]) -> None:
    """Neither the version that is here nor an older one is ever an update."""
    assert newest(["waggle-0.2.0-linux-x86_64.tar.xz"], LINUX, above) is None


def test_this_computer_has_a_platform() -> None:
    """System and machine."""
    system, _, machine = this_platform().partition("-")
    assert system in ("linux", "macos", "windows")
    assert machine not in ("", "amd64", "aarch64")
