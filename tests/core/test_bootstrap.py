"""Putting a node together."""

import asyncio
import dataclasses
from contextlib import aclosing
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from core.api.events import Event, Failed, Loading, RoundFinished, Started
from core.bootstrap import (
    NodeChoice,
    _plan,
    open_node,
    open_parts,
)
from core.decks.library import DeckLibrary
from core.engine.sizing import reductions
from core.errors import HomeInUseError, MemoryShortError, UnknownModelError, UsageError
from core.hub.server import serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.models.catalog.catalog import load_models
from core.models.memory.budget import Budget
from core.models.memory.fit import sampler_bytes, update_bytes
from core.paths import Home
from core.rollouts.types import ModelId
from core.settings import ComputeSettings, PracticeSettings, Settings, SwarmSettings
from core.storage.home_lock import hold
from core.wire.deck import deck_name
from core.wire.invite import Invite, InvitedHub, write_invite
from tests.envelopes import ANNE
from tests.swarm_decks import deck_data


def choice(home: Path, model: str = "spark", **more: object) -> NodeChoice:
    practice = PracticeSettings(local_groups=2, group_size=4)
    swarm = SwarmSettings(lan=False)
    settings = Settings(practice=practice, compute=ComputeSettings(sampler="torch"), swarm=swarm)
    whole = {"rounds": 1, "threads": 1, "solo": True, "seed": 5} | more
    return NodeChoice(Home(home), settings, ModelId(model), "meadow", **whole)  # type: ignore[arg-type]  # a test's shorthand


async def test_a_node_is_put_together_and_taken_apart(tmp_path: Path) -> None:
    """It loads, plays its round, and lets go of its home at the end."""
    told: list[Event] = []
    async with open_node(choice(tmp_path), told.append) as node:
        progress = await node.run()
    assert (progress.round, progress.seed) == (1, 5)
    assert [type(event) for event in told[:2]] == [Loading, Started]
    assert sum(isinstance(event, RoundFinished) for event in told) == 1
    with hold(Home(tmp_path)):
        pass


async def test_a_step_down_for_want_of_memory_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In words, while rounds go on with less at a time."""
    told: list[Event] = []
    spec = load_models().get("spark")
    async with open_node(choice(tmp_path), told.append) as node:
        least = Budget(sampler_rows=Budget().sampler_rows // 2)
        free = max(sampler_bytes(spec, 4, least), update_bytes(spec, 4, Budget()) // 2)
        monkeypatch.setattr("core.models.memory.budget.free_memory", lambda: free)
        progress = await node.run()
    assert progress.round == 1
    (trouble, *_) = [event for event in told if isinstance(event, Failed)]
    assert not trouble.fatal
    assert trouble.words.startswith("Memory is short, so Spark practises in smaller steps")


async def test_memory_that_stays_free_is_not_taken(tmp_path: Path) -> None:
    """Rather than to load a model that would be paused for it, that is said at once."""
    with pytest.raises(MemoryShortError, match="0 MB are free for it"):
        async with open_node(choice(tmp_path, spared=1 << 60), lambda _: None):
            pass


async def test_a_second_node_on_the_same_home_is_refused(tmp_path: Path) -> None:
    """Two nodes would overwrite each other's progress."""
    Home(tmp_path).prepare()
    with hold(Home(tmp_path)), pytest.raises(HomeInUseError, match="a folder of its own"):
        async with open_node(choice(tmp_path), lambda _: None):
            pass


async def test_an_unknown_model_leaves_no_trace(tmp_path: Path) -> None:
    """A typing mistake makes no folder."""
    with pytest.raises(UnknownModelError):
        async with open_node(choice(tmp_path / "home", "sparc"), lambda _: None):
            pass
    assert not (tmp_path / "home").exists()


async def test_a_malformed_hub_is_explained_before_anything_is_loaded(tmp_path: Path) -> None:
    """A typing mistake in an address costs no waiting."""
    with pytest.raises(UsageError):
        async with open_node(choice(tmp_path, solo=False, hubs=("nonsense",)), lambda _: None):
            pass


async def test_an_exam_shows_the_base_beside_the_trained_model(tmp_path: Path) -> None:
    """Inside ``base()`` the sampler answers as before any practice, outside as today."""
    async with open_node(choice(tmp_path, rounds=9), lambda _: None) as node:
        await node.run()
    async with open_parts(choice(tmp_path)) as bench:
        progress = await bench.parts.on_model_thread(bench.model.learner.resume)
        questions = await bench.parts.scorer.ask(bench.parts.curriculum.draw(4, Random(1)))
        today = bench.model.sampler.complete(questions, 4, 1)
        with bench.model.policy.base():
            base = bench.model.sampler.complete(questions, 4, 1)
    assert progress is not None
    assert progress.round == 9
    assert [c.tokens.logprobs for c in today[0] if c.tokens] != [
        c.tokens.logprobs for c in base[0] if c.tokens
    ]


async def test_a_model_beyond_the_memory_is_refused_before_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sentence with a smaller model; whoever insists may try."""
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=10**7))
    with pytest.raises(MemoryShortError, match=r"needs about .* 10 MB are free"):
        async with open_parts(choice(tmp_path)):
            pass
    async with open_parts(choice(tmp_path, load_anyway=True)) as bench:
        assert bench.model.policy.spec.id == "spark"


async def test_a_starter_begins_without_a_trial_of_samplers(tmp_path: Path) -> None:
    """What is fastest for it is known, so the first start need not try it out for seconds."""
    told: list[Event] = []
    automatic = dataclasses.replace(choice(tmp_path), settings=Settings())
    async with open_node(automatic, told.append):
        pass
    words = [event.words for event in told if isinstance(event, Loading)]
    assert words
    assert "Trying out what is fastest on this computer" not in words


def test_rounds_can_give_up_long_answers_of_a_model_that_may_give_them(tmp_path: Path) -> None:
    """They begin with all that it may; what a slow one makes do with is the sizer's."""
    larger, one = load_models().get("qwen2.5-0.5b"), choice(tmp_path)
    plan = _plan(one, larger, ANNE.peer_id, one.catalog())
    assert [step.answer_tokens for step in (plan, reductions(plan)[-1])] == [192, 96]


async def test_a_deck_of_others_teaches_only_whoever_asks_for_it(tmp_path: Path) -> None:
    """One's own does as the settings say; beside one of others it does not either."""
    library = DeckLibrary(Home(tmp_path).decks)
    own, foreign = (library.install(deck_data(n), of_others=n == "b") for n in ("a", "b"))
    plans = [
        _plan(one, load_models().get("spark"), ANNE.peer_id, one.catalog())
        for one in (
            choice(tmp_path, kinds=(own.task,)),
            choice(tmp_path, kinds=(foreign.task,)),
            choice(tmp_path, kinds=(own.task, foreign.task)),
            choice(tmp_path, kinds=(foreign.task,), teacher=True),
            choice(tmp_path, kinds=(own.task,), teacher=False),
        )
    ]
    assert [plan.teaches for plan in plans] == [True, False, False, True, False]


async def test_a_node_brings_the_decks_of_its_swarm_back(tmp_path: Path) -> None:
    """To a hub that misses them, while it practises; without decks in the invite it asks none."""
    data = deck_data()
    deck = DeckLibrary(Home(tmp_path).decks).install(data)
    async with aclosing(SqliteStore(MEMORY)) as store, serving(store) as url:
        hubs = (InvitedHub(url),)
        for decks in ((), (bytes.fromhex(deck.digest),)):
            invite = Invite(1, "orchard", hubs, bytes(32), decks)
            name = deck_name(invite.keys, bytes.fromhex(deck.digest))
            whole = choice(tmp_path, solo=False, kinds=(deck.task,))
            joining = dataclasses.replace(whole, swarm=write_invite(invite))
            async with open_node(joining, lambda _: None) as node:
                await node.run()
                async with asyncio.timeout(10):
                    while decks and not await store.decks.touch(invite.swarm, name):
                        await asyncio.to_thread(lambda: None)
            assert await store.decks.touch(invite.swarm, name) == bool(decks)
