"""What tests of fetching models share."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest

from core.paths import Home
from tests.fake_model_hub import files_of
from tests.memory_keyring import MemoryKeyring
from tests.tiny_models import build_tiny_model
from tests.update_source import UpdateSource


@pytest.fixture(scope="session")
def model_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A small model as a hub holds it."""
    return files_of(build_tiny_model(tmp_path_factory.mktemp("hub")))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A new data folder."""
    home = Home(tmp_path / "home")
    home.prepare()
    return home


@pytest.fixture
def source(tmp_path: Path) -> Iterator[UpdateSource]:
    """An update source, served."""
    if os.name == "nt":
        pytest.skip("the tiny Waggles are shell scripts")
    (tmp_path / "source").mkdir()
    with UpdateSource(tmp_path / "source").running() as running:
        yield running


@pytest.fixture
def hub_environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that may reach the fake hub, and no keyring or token."""
    return {
        **{name: value for name, value in os.environ.items() if name != "HF_TOKEN"},
        "HF_HUB_OFFLINE": "0",
        "HF_HOME": str(tmp_path / "huggingface"),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }


@pytest.fixture
def flipped_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name leads to this computer now."""
    look_up = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest: look_up("127.0.0.1", *rest))


@pytest.fixture
def memory_keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryKeyring]:
    """One that ends with the test, in place of that of whoever runs it; and no token of theirs."""
    before = keyring.get_keyring()
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", "/nowhere/token")
    made = MemoryKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)
