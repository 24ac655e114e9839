"""The update source that is built in."""

from pathlib import Path

import pytest

from core.errors import UpdateError
from core.updates.source import ReleaseSource, load_source


def build_in(folder: Path, url: str, root: bytes = b"{}") -> Path:
    (folder / "updates").mkdir()
    (folder / "updates" / "root.json").write_bytes(root)
    (folder / "updates.toml").write_text(f'url = "{url}"\n')
    return folder


def test_what_is_shipped_can_be_read() -> None:
    """Either nothing is built in, or a source with the keys that it is believed by."""
    source = load_source()
    assert source is None or source.root


@pytest.mark.parametrize("url", ["https://a.example/waggle", "http://127.0.0.1:80/w/"])
def test_a_source_is_an_address_and_a_root(tmp_path: Path, url: str) -> None:
    """The address ends in a slash."""
    source = load_source(build_in(tmp_path, url, b"root"))
    assert source == ReleaseSource(url if url.endswith("/") else f"{url}/", b"root")


def test_without_an_address_there_is_no_source(tmp_path: Path) -> None:
    """Whatever else lies there."""
    assert load_source(build_in(tmp_path, "")) is None


@pytest.mark.parametrize("url", ["http://a.example/", "ftp://a.example/", "https://", "file:///x"])
def test_only_encrypted_addresses_are_asked(tmp_path: Path, url: str) -> None:
    """Save this very computer."""
    with pytest.raises(UpdateError, match="damaged"):
        load_source(build_in(tmp_path, url))


def test_a_source_without_keys_is_damaged(tmp_path: Path) -> None:
    """Nothing is believed on first sight."""
    folder = build_in(tmp_path, "https://a.example/")
    (folder / "updates" / "root.json").unlink()
    with pytest.raises(UpdateError, match="damaged"):
        load_source(folder)


def test_an_address_that_is_no_text_is_damaged(tmp_path: Path) -> None:
    """And nothing but an error for a person."""
    folder = build_in(tmp_path, "https://a.example/")
    (folder / "updates.toml").write_bytes(b'url = "\xff"')
    with pytest.raises(UpdateError, match="damaged"):
        load_source(folder)
