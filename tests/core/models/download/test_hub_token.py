"""Where the access token is kept."""

import keyring
import pytest

from core.errors import ModelError
from core.models.download.hub_token import find_token, keep_token
from tests.memory_keyring import MemoryKeyring

pytestmark = pytest.mark.usefixtures("memory_keyring")


class Broken(MemoryKeyring):
    """A keyring whose service is not running."""

    @property
    def secrets(self) -> dict[tuple[str, str], str]:
        raise RuntimeError("no bus")

    @secrets.setter
    def secrets(self, value: object) -> None:
        """Nothing is kept."""


def test_a_token_is_kept_and_removed() -> None:
    """What was put in comes out; an empty one takes it away."""
    assert find_token() is None
    keep_token("hf_secret")
    assert find_token() == "hf_secret"
    keep_token("")
    keep_token("")
    assert find_token() is None


def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that one run can do with another token than the one that is kept."""
    monkeypatch.setenv("HF_TOKEN", " hf_environment\n")
    assert find_token() == "hf_environment"
    keep_token("hf_secret")
    assert find_token() == "hf_environment"
    monkeypatch.delenv("HF_TOKEN")
    assert find_token() == "hf_secret"


@pytest.mark.parametrize("token", ["hf secret", "hf_s\necret", "hf_\u00e4", "\x00", "hf_\u2026"])
def test_what_cannot_be_a_token_is_refused(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    """Before it is kept, and before it is sent: half of something else, or a whole line."""
    with pytest.raises(ModelError, match=r"no access token.*waggle models token"):
        keep_token(token)
    assert find_token() is None
    keyring.set_password("waggle", "huggingface.co", token)
    with pytest.raises(ModelError, match="no access token"):
        find_token()
    monkeypatch.setenv("HF_TOKEN", "hf_environment")
    assert find_token() == "hf_environment"


def test_a_broken_keyring_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading does not fail; keeping says what to do instead."""
    keyring.set_keyring(Broken())
    assert find_token() is None
    monkeypatch.setenv("HF_TOKEN", "hf_environment")
    assert find_token() == "hf_environment"
    with pytest.raises(ModelError, match="HF_TOKEN"):
        keep_token("hf_secret")
