"""The list of licences follows from what is shipped."""

import json
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def licences(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return import_module("licences")


@pytest.fixture
def listed(licences: ModuleType, tmp_path: Path) -> dict[str, dict[str, str]]:
    """What is written for an app of which only one file is somebody else's."""
    out = tmp_path / "deep" / "licences.json"
    shipped = Path(str(distribution("msgspec").locate_file("msgspec/__init__.py")))
    licences.write_licences(out, [shipped], ROOT)
    rows = json.loads(out.read_text(encoding="utf-8"))
    assert all(set(row) == {"name", "version", "licence", "text"} for row in rows)
    return {row["name"]: row for row in rows}


def test_whose_file_is_shipped_is_named(listed: dict[str, dict[str, str]]) -> None:
    """With version, licence and its text."""
    found = listed["msgspec"]
    assert found["version"] == distribution("msgspec").version
    assert "BSD" in found["licence"]
    assert "Redistribution" in found["text"]


def test_who_ships_nothing_is_not_named(listed: dict[str, dict[str, str]]) -> None:
    """Tools of the build are no part of the app."""
    assert not {"pytest", "torch", "ruff"} & listed.keys()


def test_what_no_package_manager_knows_is_named_too(listed: dict[str, dict[str, str]]) -> None:
    """Waggle itself, Python, the font and the starter models."""
    assert {"Waggle", "Python", "Inter (font)", "spark (starter model)"} <= listed.keys()
    assert all(row["licence"] and row["text"] for row in listed.values())


def test_an_endless_text_is_cut(licences: ModuleType) -> None:
    """And says so; others are left alone."""
    assert licences.bounded("short") == "short"
    cut = licences.bounded("x" * (licences.MOST_TEXT + 1))
    assert len(cut) == licences.MOST_TEXT
    assert "[The rest" in cut


@pytest.mark.parametrize("name", ["libtorrent", "tokenizers"])
def test_who_forgot_the_terms_has_them_here(licences: ModuleType, name: str) -> None:
    """Their wheels bring no text, and their licences ask for one."""
    if name == "libtorrent":
        pytest.importorskip(name)
    assert "COPYRIGHT" in licences.spare_text(distribution(name)).upper()


def test_terms_are_not_invented(licences: ModuleType) -> None:
    """Of a licence that we do not have there is no text."""
    assert licences.spare_text(distribution("msgspec")) == ""
