"""What tests of fetching models share."""

import os
from pathlib import Path

import pytest

from tests.fake_model_hub import files_of
from tests.tiny_models import build_tiny_model


@pytest.fixture(scope="session")
def model_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A small model as a hub holds it."""
    return files_of(build_tiny_model(tmp_path_factory.mktemp("hub")))


@pytest.fixture
def hub_environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that may reach the fake hub, and no keyring or token."""
    return {
        **{name: value for name, value in os.environ.items() if name != "HF_TOKEN"},
        "HF_HUB_OFFLINE": "0",
        "HF_HOME": str(tmp_path / "huggingface"),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }
