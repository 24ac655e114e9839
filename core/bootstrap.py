"""The only place where parts are wired together.

The heavy libraries are imported inside ``open_node``, on the model thread where they are used, so
that a command that needs no model starts at once and a node can say "waking up" while it loads.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.api.events import Event, loading, warning
from core.decks.library import DeckLibrary
from core.engine.loop import LoopContext, NodeLoop, RunOptions
from core.engine.plan import RoundPlan
from core.engine.ports import Swarm
from core.engine.round import Parts
from core.i18n import translatable
from core.ledger.contribution import Contribution
from core.ledger.history import History
from core.models.catalog.catalog import ModelSpec
from core.models.catalog.library import find_model
from core.models.memory.fit import roomiest_budget
from core.models.memory.machine import rounds_by
from core.models.memory.shortage import memory_tight
from core.models.threads import worthwhile_threads
from core.paths import Home
from core.rollouts.round_size import FEWEST
from core.rollouts.taught import TaughtCells
from core.rollouts.types import ModelId, PeerId
from core.sensors.energy import meter_for
from core.settings import Recipe, Settings
from core.storage.home_lock import hold, hold_within
from core.swarm.decks import DeckSharer, DeckSwarm
from core.swarm.directory import hubs_for
from core.swarm.exchange.validation import Self
from core.swarm.joining import Ways, joined
from core.swarm.network import NetworkOptions, SwarmNetwork
from core.swarm.paced import PacedSwarm
from core.swarm.solo import SoloSwarm
from core.tasks.catalog import SEEDS, TaskCatalog
from core.tasks.curriculum import curriculum_for
from core.tasks.deck_tasks import practised_catalog, scope_of, unshared_kinds
from core.tasks.reasoning_tasks import check_ruleset
from core.tasks.scorer import IsolatedScorer
from core.tasks.skills import Skills, load_base_skills
from core.wire.identity import Identity, load_or_create_identity
from core.wire.invite import read_swarm
from core.wire.names import friendly_name

if TYPE_CHECKING:  # loads torch
    from core.models.policy.policy import Policy
    from core.sampling.rival_sampler import AnySampler
    from core.training.learner import GrpoLearner

ADAPTER_SEED = 0
"""Every adapter starts from the same random half; runs differ by their own seed from then on."""


@dataclass(frozen=True, slots=True)
class NodeChoice:
    """Choices of a person for one run."""

    home: Home
    settings: Settings
    model: ModelId
    swarm: str
    hubs: tuple[str, ...] = ()  # URLs
    nodes: tuple[str, ...] = ()  # HOST:PORT of others to ask directly
    lan: bool | None = None  # meet those on this network; None: as in the settings
    internet: bool | None = None  # find others through the BitTorrent network; None: the same
    solo: bool = False
    rounds: int | None = None  # None: until told to end
    seed: int | None = None  # insisted on; None: the checkpoint's, else drawn
    recipe: Recipe | None = None  # insisted on; None: the checkpoint's, else that of the settings
    threads: int = 0  # 0: as many as the model is worth
    load_anyway: bool = False  # even if the model seems to need more memory than there is
    teacher: bool | None = None  # whether decks teach; None: as in the settings, one's own only
    spared: int = 0  # bytes of memory that stay free: with less, who governs it would pause it
    patience_s: float = 0.0  # to wait for another Waggle that still holds the home
    kinds: tuple[str, ...] = ()  # of puzzles, that alone are practised; empty: as in the settings

    def catalog(self) -> TaskCatalog:
        """What is practised.

        Raises:
            WaggleError: it is not all there.
        """
        return practised_catalog(self.home, self.kinds or self.settings.practice.kinds)

    def threads_for(self, spec: ModelSpec) -> int:
        """Cores that sampling and learning use."""
        return self.threads or worthwhile_threads(spec)


@dataclass(frozen=True, slots=True)
class Model:
    """A policy with the two that share it; used on the model thread only."""

    policy: "Policy"
    sampler: "AnySampler"
    learner: "GrpoLearner"


@dataclass(frozen=True, slots=True)
class ModelParts:
    """A model ready to practise or to be examined."""

    model: Model
    parts: Parts


@asynccontextmanager
async def open_node(choice: NodeChoice, emit: Callable[[Event], None]) -> AsyncIterator[NodeLoop]:
    """Put a node together, and take it apart at the end; its home is held in between.

    Raises:
        WaggleError: something is missing, damaged or in use; nothing was changed.
    """
    spec = find_model(choice.model, choice.home)
    catalog = choice.catalog()
    choice.home.prepare()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(hold_within(choice.home, choice.patience_s))
        identity = load_or_create_identity(choice.home.identity)
        ledger = stack.enter_context(History(choice.home.ledger, spec.id))
        emit(loading(translatable("Waking the model up")))
        swarm = await stack.enter_async_context(_open_swarm(choice, identity, catalog.ruleset))
        parts = _open_workbench(choice, spec, catalog, PacedSwarm(swarm), emit)
        bench = await stack.enter_async_context(parts)
        context = LoopContext(
            ledger,
            emit,
            friendly_name,
            swarm,
            title_of=lambda task: catalog.task(task).title,
            meter=meter_for(bench.model.policy.device.type),
        )
        plan = _plan(choice, spec, identity.peer_id, catalog)
        yield NodeLoop(plan, bench.parts, context, _options(choice))


@asynccontextmanager
async def open_parts(choice: NodeChoice) -> AsyncIterator[ModelParts]:
    """Put a node together without a swarm and without a loop that plays its rounds.

    Raises:
        WaggleError: something is missing, damaged or in use; nothing was changed.
    """
    spec = find_model(choice.model, choice.home)
    choice.home.prepare()
    with hold(choice.home):
        catalog = choice.catalog()
        async with _open_workbench(choice, spec, catalog, SoloSwarm(), lambda _: None) as bench:
            yield bench


@asynccontextmanager
async def _open_workbench(
    choice: NodeChoice,
    spec: ModelSpec,
    catalog: TaskCatalog,
    swarm: Swarm,
    emit: Callable[[Event], None],
) -> AsyncIterator[ModelParts]:
    check_ruleset()
    skills = Skills(catalog, load_base_skills(spec.folder))
    curriculum = curriculum_for(catalog, choice.settings.practice.level, skills)
    loop = asyncio.get_running_loop()

    def say(event: Event) -> None:  # on the model thread
        loop.call_soon_threadsafe(emit, event)

    async with IsolatedScorer(catalog, choice.home.decks) as scorer:
        threads = (choice.threads_for(spec),)
        with ThreadPoolExecutor(1, "model", _prepare_model_thread, threads) as thread:
            model = await loop.run_in_executor(thread, _load_model, choice, spec, say)
            try:
                own = model.sampler, swarm, model.learner, thread, TaughtCells(skills.base)
                yield ModelParts(model, Parts(curriculum, skills, scorer, *own))
            finally:
                await loop.run_in_executor(thread, model.sampler.close)


def _prepare_model_thread(threads: int) -> None:
    import torch

    torch.set_num_threads(threads)


def _load_model(choice: NodeChoice, spec: ModelSpec, say: Callable[[Event], None]) -> Model:
    from core.models.memory.budget import SharedBudget
    from core.models.memory.compute import machine_of
    from core.models.policy.loading import load_policy
    from core.sampling.choice import SamplerContext, open_sampler
    from core.sampling.precision import compute_for
    from core.training.checkpoints import CheckpointStore
    from core.training.learner import GrpoLearner

    def tell(words: str) -> None:
        say(loading(words))

    rounds = rounds_by(choice.settings)
    compute = compute_for(spec, choice.settings.compute.device, choice.home, tell, rounds)
    machine, spared = machine_of(compute, choice.spared), choice.spared
    room = None if choice.load_anyway else roomiest_budget(spec, machine, rounds)
    budget = SharedBudget(room, lambda: say(warning(memory_tight(spec))))
    policy = load_policy(spec, ADAPTER_SEED, compute)
    store = CheckpointStore(choice.home.checkpoints / spec.id)
    learner = GrpoLearner(policy, store, _recipe(choice), budget)
    place = SamplerContext(choice.home, choice.threads_for(spec), budget, tell, spared, rounds)
    return Model(policy, open_sampler(policy, choice.settings.compute.sampler, place), learner)


@asynccontextmanager
async def _open_swarm(
    choice: NodeChoice, identity: Identity, ruleset: str
) -> AsyncIterator[SoloSwarm | SwarmNetwork]:
    """The swarm that was chosen, by all ways that are open; nobody there is no error.

    Raises:
        UsageError: the name, the invite or an address is malformed.
    """
    if choice.solo:
        yield SoloSwarm()
        return
    invite = read_swarm(choice.swarm)
    blocked = frozenset(map(PeerId, choice.settings.swarm.blocked))
    own = Self(identity.peer_id, invite.swarm, ruleset, invite.keys, blocked)
    hubs = tuple(hubs_for(invite, choice.hubs))
    proxy = choice.settings.network.proxy
    sharer = DeckSharer(DeckSwarm.of(invite), hubs, DeckLibrary(choice.home.decks), proxy)
    internet = choice.settings.swarm.internet if choice.internet is None else choice.internet
    ways = Ways(
        hubs=hubs,
        nodes=choice.nodes,
        lan=choice.settings.swarm.lan if choice.lan is None else choice.lan,
        port=choice.settings.swarm.port,
        internet=choice.home.dht if internet else None,
        known=choice.home.sources,
        beside=sharer.run if invite.decks else None,
    )
    with closing(Contribution(choice.home.ledger)) as contribution:
        means = NetworkOptions(outbox=choice.home.outbox, receipt_log=contribution, proxy=proxy)
        async with joined(identity, own, ways, means) as network:
            yield network


def _plan(choice: NodeChoice, spec: ModelSpec, author: PeerId, catalog: TaskCatalog) -> RoundPlan:
    practice, is_of_others = choice.settings.practice, DeckLibrary(choice.home.decks).is_of_others
    teaches = practice.teacher and not any(map(is_of_others, catalog.decks.values()))
    return RoundPlan(
        model=spec.model_id,
        author=author,
        seed=secrets.randbelow(SEEDS) if choice.seed is None else choice.seed,
        recipe=_recipe(choice),
        local_groups=practice.local_groups,
        swarm_groups=practice.swarm_groups,
        group_size=practice.group_size,
        teaches=teaches if choice.teacher is None else choice.teacher,
        scope=scope_of(catalog),
        is_small=spec.is_small,
        answer_tokens=spec.completion_tokens,
        unshared=unshared_kinds(catalog, choice.swarm),
        first_questions=_first_questions(choice, spec),
    )


def _first_questions(choice: NodeChoice, spec: ModelSpec) -> int | None:
    if choice.seed is not None:  # rounds are to be repeatable
        return None
    return choice.settings.practice.local_groups if spec.is_small else FEWEST


def _recipe(choice: NodeChoice) -> Recipe:
    """The recipe of a new run; one that goes on keeps the recipe of its checkpoint."""
    return choice.recipe or choice.settings.practice.recipe


def _options(choice: NodeChoice) -> RunOptions:
    return RunOptions(choice.rounds, choice.seed, choice.recipe, solo=choice.solo)
