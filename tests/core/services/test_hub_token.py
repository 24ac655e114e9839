"""The access token, as the window handles it."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring

from core.api.models import ForgetHubToken, HubTokenShown, SetHubToken, ShowHubToken
from core.api.requests import Reply
from core.errors import ModelError
from core.paths import Home
from core.services.hub_token import forget_hub_token, set_hub_token, show_hub_token
from core.services.service import ServiceContext

TOKEN = "hf_" + "secret"


class Drawer(KeyringBackend):
    """A keyring in memory."""

    priority = 1.0

    def __init__(self) -> None:
        self.secrets: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.secrets.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.secrets[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.secrets[service, username]


@pytest.fixture
def drawer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Drawer]:
    before = keyring.get_keyring()
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", "/nowhere/token")
    made = Drawer()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


async def test_a_token_is_kept_and_forgotten(tmp_path: Path, drawer: Drawer) -> None:
    """The window learns whether there is one, never which."""
    told: list[Reply] = []
    place = ServiceContext(Home(tmp_path))
    await show_hub_token(ShowHubToken(), place, told.append)
    await set_hub_token(SetHubToken(token=f"  {TOKEN}\n"), place, told.append)
    assert list(drawer.secrets.values()) == [TOKEN]
    await show_hub_token(ShowHubToken(), place, told.append)
    await forget_hub_token(ForgetHubToken(), place, told.append)
    assert drawer.secrets == {}
    assert [t.is_kept for t in told if isinstance(t, HubTokenShown)] == [False, True, True, False]
    assert TOKEN not in repr(told)


@pytest.mark.usefixtures("drawer")
async def test_a_computer_without_a_keyring_is_told_in_words(tmp_path: Path) -> None:
    """With the way that is left."""
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]  # keyring leaves it untyped
    with pytest.raises(ModelError, match="HF_TOKEN"):
        await set_hub_token(
            SetHubToken(token=TOKEN), ServiceContext(Home(tmp_path)), lambda _: None
        )


@pytest.mark.usefixtures("drawer")
async def test_what_is_no_token_is_refused(tmp_path: Path) -> None:
    """It is not kept."""
    with pytest.raises(ModelError, match="no access token"):
        await set_hub_token(
            SetHubToken(token=f"{TOKEN} {TOKEN}"), ServiceContext(Home(tmp_path)), lambda _: None
        )
