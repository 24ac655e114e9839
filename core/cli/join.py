"""``waggle join``: practise with the swarm, in the terminal."""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from threading import Timer
from typing import Final, Protocol, get_args

from core.api.events import Failed
from core.api.swarm import Concern
from core.bootstrap import NodeChoice, open_node
from core.children import make_way
from core.cli.invited_decks import DeckConsent, invited_kinds
from core.cli.output import CommandConsole, complain, is_agreed, say
from core.cli.parsing import Commands, add_decks, count, kinds_of, seed
from core.cli.progress import JsonLines, ProgressDisplay
from core.errors import UsageError, WaggleError
from core.governor.loop import GovernorLoop
from core.governor_setup import open_governor
from core.logs import log_to_file
from core.paths import Home
from core.rollouts.types import ModelId
from core.services.invites import doubtful_hubs
from core.services.swarm_decks import deck_hubs
from core.settings import Recipe, load_settings, plain_address
from core.wire.invite import read_swarm

_WHERE: Final[dict[Concern, str]] = {
    "own_computer": "on this computer",
    "own_network": "inside your own network",
    "path": "a page of its own on somebody's server",
}


def agree_to(swarm: str, typed: Collection[str], tell: Callable[[str], None] = say) -> None:
    """Have the person agree to each doubtful address of the invite ``swarm`` not in ``typed``.

    Each is asked about by ``tell``.

    Raises:
        UsageError: they did not, or nobody is there to ask.
    """
    known = {plain_address(url) for url in typed}
    for hub in doubtful_hubs(read_swarm(swarm)):
        if plain_address(hub.url) in known:
            continue
        where = f"The invite leads to {hub.url}, {_WHERE[hub.concern]}."
        if not sys.stdin.isatty():
            raise UsageError(f"{where} If you want to connect to it, add --hub {hub.url}.")
        if not is_agreed(f"{where} Connect to it?", tell):
            raise UsageError("Nothing was sent. Ask whoever gave you the invite about it.")


STOP_S: Final = 10.0
"""For putting everything away after the second interrupt, before the process is ended."""


class Endable(Protocol):
    """What can come to an end."""

    def finish(self) -> None:
        """Complete the running round."""

    def stop(self) -> None:
        """Drop it."""


def closing_guard(grace_s: float = STOP_S) -> Timer:
    """Ends the process ``grace_s`` after it is started, whatever the process does.

    The model's thread cannot be stopped, and with a large model its step takes a minute. Cutting
    that off does no harm: files are written in one step.
    """
    guard = Timer(grace_s, _end)
    guard.daemon = True
    return guard


def _end() -> None:
    CommandConsole().show_cursor()  # which the display has hidden
    os._exit(1)


@contextmanager
def finish_then_stop(node: Endable, guard: Timer) -> Iterator[None]:
    """The first interrupt finishes ``node``, the next one and a termination stop it.

    From the second interrupt to the end of the block ``guard`` runs. Call it on the event loop's
    thread; handlers are put back at the end.
    """
    loop = asyncio.get_running_loop()

    def stop() -> None:
        node.stop()
        if not guard.is_alive():
            guard.start()

    endings = iter([node.finish])

    def interrupt(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(next(endings, stop))

    def terminate(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(node.stop)

    before = (
        signal.signal(signal.SIGINT, interrupt),
        signal.signal(signal.SIGTERM, terminate),
    )
    try:
        yield
    finally:
        guard.cancel()
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])


EXAMPLE = "Example: waggle join --hub http://127.0.0.1:8765 --model spark --rounds 50"


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "join", help="practise puzzles and share what was tried", epilog=EXAMPLE
    )
    parser.add_argument("--solo", action="store_true", help="practise alone, share nothing")
    parser.add_argument(
        "--model", help="model to train (default: the one chosen in the window, at first spark)"
    )
    parser.add_argument("--rounds", type=count, metavar="N", help="stop after N rounds")
    parser.add_argument(
        "--swarm",
        metavar="NAME",
        help="swarm to join, or the link of an invite (default: as in the settings, at first "
        "meadow)",
    )
    parser.add_argument(
        "--hub",
        action="append",
        metavar="URL",
        help="meeting point to use; may be repeated (default: those in the settings)",
    )
    parser.add_argument(
        "--node", action="append", metavar="HOST:PORT", help="node to ask directly; may be repeated"
    )
    parser.add_argument(
        "--lan",
        action=argparse.BooleanOptionalAction,
        help="meet others on this network (default: as in the settings, at first yes)",
    )
    parser.add_argument(
        "--internet",
        action=argparse.BooleanOptionalAction,
        help="find others through the BitTorrent network, which shows them this computer's "
        "address (default: as in the settings, at first no)",
    )
    parser.add_argument(
        "--recipe",
        choices=get_args(Recipe),
        help="how to learn: as the paper does, in our own way, or in our own way with fewer own "
        "tries where others' teach (default: a model goes on as it began; new ones: as in the "
        "settings, at first waggle-adaptive)",
    )
    add_decks(parser)
    parser.add_argument(
        "--agree-to-decks",
        action="store_true",
        help="practise the decks that the invite names without being shown them first",
    )
    parser.add_argument(
        "--teacher",
        action=argparse.BooleanOptionalAction,
        help="a deck shows how it would answer where all own answers fail (default: as in the "
        "settings, at first yes; for decks of others no)",
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="make the run repeatable")
    parser.add_argument(
        "--threads",
        type=count,
        metavar="N",
        help="processor cores to lend (default: as in the settings, at first as many as help)",
    )
    parser.add_argument(
        "--load-anyway",
        action="store_true",
        help="train a model even if it seems to need more memory than there is",
    )
    parser.add_argument(
        "--governed",
        action="store_true",
        help="make way as behind the window: let other programs have the processor first, and "
        "pause by the rules of the settings (battery, in use, hours and so on); without it, it "
        "runs until told otherwise",
    )
    parser.add_argument("--json", action="store_true", help="one event per line on stdout")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Practise until done; the first Ctrl-C finishes the round, a second one stops at once."""
    home = Home(arguments.home)
    home.prepare()
    log_to_file(home)
    settings = load_settings(home.settings)
    tell = complain if arguments.json else say  # programs read events from stdout
    if arguments.swarm and not arguments.solo:  # the settings' own was agreed to when it got there
        agree_to(arguments.swarm, [*(arguments.hub or ()), *settings.swarm.hubs], tell)
    kinds = kinds_of(arguments)
    if not arguments.solo and not kinds:
        consent = DeckConsent(tell, agreed=arguments.agree_to_decks)
        invite = read_swarm(arguments.swarm or settings.swarm.name)
        hubs = deck_hubs(invite, arguments.hub or settings.swarm.hubs)
        kinds = invited_kinds(invite, hubs, home, settings.network.proxy, consent)
    choice = NodeChoice(
        home=home,
        settings=settings,
        model=ModelId(arguments.model or settings.window.model),
        solo=arguments.solo,
        swarm=arguments.swarm or settings.swarm.name,
        hubs=tuple(arguments.hub or settings.swarm.hubs),
        nodes=tuple(arguments.node or ()),
        lan=arguments.lan,
        internet=arguments.internet,
        recipe=arguments.recipe,
        rounds=arguments.rounds,
        seed=arguments.seed,
        threads=arguments.threads or settings.compute.threads,
        load_anyway=arguments.load_anyway,
        teacher=arguments.teacher,
        spared=settings.rules.memory_floor if arguments.governed else 0,
        kinds=kinds,
    )
    governor = None
    if arguments.governed:
        make_way()
        governor = open_governor(home)
    asyncio.run(_practise(choice, governor, as_json=arguments.json))
    return 0


async def _practise(choice: NodeChoice, governor: GovernorLoop | None, *, as_json: bool) -> None:
    display = JsonLines(sys.stdout.buffer) if as_json else ProgressDisplay(choice.rounds)
    with display, ExitStack() as until_closed:
        try:
            async with open_node(choice, display.show) as node:
                until_closed.enter_context(finish_then_stop(node, closing_guard()))
                async with governor.over(node) if governor else nullcontext():
                    await node.run()
        except WaggleError as error:
            display.show(Failed(words=str(error), fatal=True))
            raise
