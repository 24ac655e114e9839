"""What a model hub says, and what it may not."""

import asyncio
from collections.abc import AsyncIterator

import huggingface_hub
import pytest

from core.errors import ModelError, UnknownModelError
from core.i18n import remarks_of, words_of
from core.models.catalog.library import find_model
from core.models.download.hub import Hub
from core.models.download.listing import DATASETS, Listing
from core.models.download.transfer import TransferOptions
from core.paths import Home
from tests.fake_model_hub import COMMIT, REPO, TOKEN, FakeModelHub
from tests.fetching import ID, Fetching


@pytest.fixture
async def hub_of_data(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeModelHub]:
    """It has a data set and no model."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    async with FakeModelHub({"a.csv": b"question,answer\na,b\n"}, card={}).running() as running:
        yield running


@pytest.mark.parametrize("name", ["someone/else", "nobody/nothing"])
async def test_an_unknown_model_is_told(home: Home, hub: FakeModelHub, name: str) -> None:
    """Nothing is made for it."""
    with pytest.raises(UnknownModelError, match=f"has nothing called {name}"):
        await Fetching(home, hub).fetch(name)
    assert not list(home.models.iterdir())


async def test_a_gated_model_needs_a_token(home: Home, hub: FakeModelHub) -> None:
    """Without one the message says where to get it, and where to put it."""
    hub.trouble.needs_token = True
    with pytest.raises(ModelError, match=r"co/someone/Tiny-Model, make .* waggle models token"):
        await Fetching(home, hub).fetch()
    await Fetching(home, hub, TOKEN).fetch()


def test_an_endpoint_that_is_no_address_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As HF_ENDPOINT may be mistyped; also where the token is needed from the beginning."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    for gated in (False, True):
        with pytest.raises(ModelError, match="hub cannot be reached"):
            Hub(lambda: TOKEN, "https://[::1").listing(REPO, gated=gated)


async def test_a_token_that_is_refused_is_told(home: Home, hub: FakeModelHub) -> None:
    """An expired one is another trouble than a licence that was not accepted."""
    hub.trouble.needs_token = True
    with pytest.raises(ModelError, match=r"refused your access token.*waggle models token"):
        await Fetching(home, hub, "hf_" + "expired").fetch()


async def test_an_expired_token_keeps_nobody_from_a_public_model(
    home: Home, hub: FakeModelHub
) -> None:
    """Nobody is asked for it, and it is not sent: the keyring stays locked."""
    fetching = Fetching(home, hub)
    fetching.options = TransferOptions(Hub(lambda: pytest.fail("nobody needs it"), hub.url), ())
    await fetching.fetch()
    assert set(hub.tokens) == {None}


async def test_a_token_is_shown_once_it_is_needed(home: Home, hub: FakeModelHub) -> None:
    """After the first refusal, and from then on."""
    hub.trouble.needs_token = True
    await Fetching(home, hub, TOKEN).fetch()
    shown = [token is not None for token in hub.tokens]
    assert shown == sorted(shown)
    assert shown[:3] == [False, False, True]  # the list, the first file, the first file again


async def test_a_private_model_opens_with_its_token(home: Home, hub: FakeModelHub) -> None:
    """Without it the hub says that there is none; with it, one that is not there is unknown."""
    hub.trouble.is_private = True
    with pytest.raises(UnknownModelError, match="or it is private"):
        await Fetching(home, hub).fetch()
    await Fetching(home, hub, TOKEN).fetch()
    with pytest.raises(UnknownModelError, match="has nothing called someone/else"):
        await Fetching(home, hub, TOKEN).fetch("someone/else")


async def test_a_model_known_to_be_gated_is_asked_for_with_the_token(hub: FakeModelHub) -> None:
    """The catalogue spares a refusal."""
    await asyncio.to_thread(Hub(lambda: TOKEN, hub.url).listing, REPO, gated=True)
    assert hub.tokens == [f"Bearer {TOKEN}"]


@pytest.mark.parametrize(
    ("endpoint", "is_private"),
    [
        ("https://hub.example", True),
        ("http://localhost:1", True),
        ("http://127.3.2.1:1", True),
        ("http://[::1]:1", True),
        ("http://hub.example", False),
        ("http://localhost.example", False),
        ("http://192.168.0.1", False),
        ("hub.example", False),
    ],
)
def test_no_token_goes_where_others_can_read_it(endpoint: str, *, is_private: bool) -> None:
    """Only encrypted, or to this very computer; else the message says why."""
    client = Hub(lambda: TOKEN, endpoint)
    assert client.unlock() is is_private
    assert ("authorization" in {name.lower() for name in client.headers}) is is_private
    assert ("line is not encrypted" in str(client.closed(REPO, 401))) is not is_private


async def test_a_line_that_cannot_be_encrypted_is_told(hub: FakeModelHub) -> None:
    """A hub that speaks no TLS where TLS was asked for."""
    client = Hub(endpoint=hub.url.replace("http:", "https:"))
    with pytest.raises(ModelError, match="No encrypted line"):
        await asyncio.to_thread(client.listing, REPO)


async def test_a_hub_may_refuse_to_describe(home: Home, hub: FakeModelHub) -> None:
    """A 403 for the whole repository is told alike."""
    hub.trouble.refuses = True
    with pytest.raises(ModelError, match="Accept"):
        await Fetching(home, hub, TOKEN).fetch()


async def test_without_network_it_says_so(home: Home, hub: FakeModelHub) -> None:
    """Nobody listens at that address any more."""
    fetching = Fetching(home, hub)
    fetching.options = TransferOptions(Hub(endpoint="http://127.0.0.1:9"), ())
    with pytest.raises(ModelError, match="cannot be reached"):
        await fetching.fetch()


async def test_offline_mode_is_respected(
    home: Home, hub: FakeModelHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever forbids the network is reminded of it; what is fetched still works."""
    await Fetching(home, hub).fetch()
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match="HF_HUB_OFFLINE forbids"):
        await Fetching(home, hub).fetch()
    assert find_model(REPO, home).id == ID


async def test_a_data_set_is_asked_for_at_its_own_address(hub_of_data: FakeModelHub) -> None:
    """What it is and where its files are, at that very commit."""
    client = Hub(endpoint=hub_of_data.url)
    info = await asyncio.to_thread(client.dataset, REPO)
    assert info.sha == COMMIT
    listing = Listing(f"{DATASETS}{REPO}", COMMIT, (), {"table": "data/a b.csv"})
    place = f"{hub_of_data.url}/datasets/{REPO}/resolve/{COMMIT}"
    assert client.url(listing, "table") == f"{place}/data/a%20b.csv"
    with pytest.raises(UnknownModelError, match="datasets/someone/else"):
        await asyncio.to_thread(client.dataset, "someone/else")


@pytest.mark.parametrize(
    ("token", "words"),
    [(None, f"Accept it on huggingface.co/datasets/{REPO}, make"), (TOKEN, "Accept its terms")],
)
async def test_a_gated_data_set_says_where_it_is_opened(
    hub_of_data: FakeModelHub, token: str | None, words: str
) -> None:
    """Its page is another one than that of a model of the same name; in every language."""
    hub_of_data.trouble.refuses = True
    with pytest.raises(ModelError, match=words) as caught:
        await asyncio.to_thread(Hub(lambda: token, hub_of_data.url).dataset, REPO)
    assert remarks_of(words_of(caught.value))
