"""Fetching a model from the fake hub, as a person does it."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import huggingface_hub
import keyring
import pytest

from core.errors import ModelError
from core.models.catalog.library import NOTE, Library
from core.models.catalog.manifest import Manifest
from core.models.download.download import Consider, fetch, wanted
from core.models.download.hub import Hub
from core.models.download.transfer import TransferOptions
from core.paths import Home
from tests.fake_model_hub import REPO, FakeModelHub

ID = "someone--tiny-model"
WEIGHTS = "model.safetensors"
PLENTY = 10**12


class Fetching:
    """One download, with the reports that a person sees."""

    def __init__(self, home: Home, hub: FakeModelHub, token: str | None = None) -> None:
        self.library = Library(home.models)
        self.options = TransferOptions(
            Hub(lambda: token, hub.url), (0.0, 0.0, 0.0), lambda _: PLENTY
        )
        self.reports: list[tuple[int, int]] = []
        self._alarm: tuple[int, Callable[[], object]] | None = None

    def at(self, done: int, act: Callable[[], object]) -> None:
        """Call ``act`` once so many bytes are there."""
        self._alarm = done, act

    async def fetch(self, name: str = REPO, consider: Consider = lambda _: None) -> Manifest:
        wish = wanted(name, self.library)
        return await fetch(wish, self.library, self.options, self.report, consider)

    def report(self, done: int, total: int) -> None:
        self.reports.append((done, total))
        if self._alarm is not None and done >= self._alarm[0]:
            self._alarm[1]()


async def break_off(home: Home, hub: FakeModelHub) -> None:
    """Leave 10,000 bytes of the weights behind, as a download does that gave up."""
    hub.trouble.drops = {WEIGHTS: [10_000, 0, 0, 0]}
    with pytest.raises(ModelError):
        await Fetching(home, hub).fetch()


def drafts(home: Home) -> dict[str, int]:
    """What an interrupted download left, with sizes."""
    found = home.models.glob(".draft-*/*")
    return {path.name: path.stat().st_size for path in found if path.name != NOTE}


@asynccontextmanager
async def everybodys_hub(
    files: Mapping[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
    card: Mapping[str, object] | None = None,
) -> AsyncIterator[FakeModelHub]:
    """A running hub that whoever names none asks, on a computer without tokens.

    It has a model, or a data set with that ``card``.
    """
    constants = huggingface_hub.constants
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", "/nowhere/token")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr(keyring, "get_password", lambda _service, _account: None)
    async with FakeModelHub(files, card).running() as hub:
        path = constants.HUGGINGFACE_CO_URL_TEMPLATE.removeprefix(constants.ENDPOINT)
        monkeypatch.setattr(constants, "ENDPOINT", hub.url)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.url + path)
        yield hub
