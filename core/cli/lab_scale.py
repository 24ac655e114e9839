"""``waggle lab scale``: how large a swarm may grow, measured and simulated."""

import argparse
import asyncio
from typing import TYPE_CHECKING

from core.cli.output import print_json, print_table, say
from core.cli.parsing import Commands, add_common, count, seed, whole
from core.errors import UsageError
from core.swarm.membership import MOST_STRANGERS

if TYPE_CHECKING:  # loads numpy
    from core.lab.scale.world import SimulationPlan

SIMULATE_EXAMPLE = "Example: waggle lab scale simulate --nodes 100 10000 --hostile 20 --hubs-down 6"
CLIENTS_EXAMPLE = "Example: waggle lab scale clients --clients 100 --period 10 --seconds 30"


def add_to(experiments: Commands) -> None:
    """Declare the experiment."""
    parser = experiments.add_parser(
        "scale", help="how large a swarm may grow", epilog=CLIENTS_EXAMPLE
    )
    add_common(parser, again=True)
    actions = parser.add_subparsers(metavar="WAY", required=True)
    _add_clients(actions)
    _add_simulate(actions)


def _add_clients(actions: Commands) -> None:
    parser = actions.add_parser(
        "clients",
        help="drive a hub with nodes that have no model",
        description="The lab's own hubs run behind a made-up proxy, so that every client has an "
        "address of its own. A hub named with --hub counts all clients as one visitor, unless it "
        "was started with --behind-proxy.",
        epilog=CLIENTS_EXAMPLE,
    )
    parser.add_argument("--hub", metavar="URL", help="default: hubs of the lab's own")
    _number(parser, "--clients", 1_000, "how many nodes")
    _number(parser, "--period", 60, "seconds between two rounds of a node")
    _number(parser, "--seconds", 120, "to measure, after one period to warm up")
    _number(parser, "--groups", 8, "that a node leaves in a round, of 5 KB each")
    _number(parser, "--want", 16, "groups of others that it draws")
    parser.add_argument(
        "--store", metavar="STORE", help="of the lab's hubs, as for waggle hub (default: SQLite)"
    )
    _number(parser, "--front-ends", 1, "how many hubs share a Redis store")
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="default: %(default)s")
    _finish(parser)
    parser.set_defaults(run=_clients)


def _add_simulate(actions: Commands) -> None:
    parser = actions.add_parser(
        "simulate",
        help="simulate up to a hundred thousand nodes",
        description="Membership, hubs and sampling with nodes that come and go, hubs that fail and "
        "nodes that are hostile; no sockets, no models.",
        epilog=SIMULATE_EXAMPLE,
    )
    parser.add_argument(
        "--nodes", type=count, nargs="+", default=[10_000], metavar="N", help="sizes to compare"
    )
    _number(parser, "--rounds", 30, "how many")
    _number(parser, "--period", 60, "seconds of a round")
    _whole(parser, "--churn", 2, "percent of the nodes there that leave in a round")
    _whole(parser, "--reachable", 20, "percent of honest nodes that can be asked directly")
    _whole(parser, "--hostile", 10, "percent of all identities that are hostile")
    parser.add_argument(
        "--sites",
        type=count,
        metavar="N",
        help="addresses that the hostile ones have (default: one for each)",
    )
    _number(parser, "--hubs", 6, "in all")
    _whole(parser, "--hostile-hubs", 1, "of them, that hand out hostile items only")
    _whole(parser, "--hubs-down", 3, "of them, honest ones first, half-way through")
    _number(parser, "--outage", 4, "rounds for which they are down")
    _whole(parser, "--contacts", MOST_STRANGERS, "nodes that each asks directly in a round")
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="default: %(default)s")
    _finish(parser)
    parser.set_defaults(run=_simulate)


def _number(parser: argparse.ArgumentParser, name: str, default: int, words: str) -> None:
    parser.add_argument(
        name, type=count, default=default, metavar="N", help=f"{words} (default: %(default)s)"
    )


def _whole(parser: argparse.ArgumentParser, name: str, default: int, words: str) -> None:
    parser.add_argument(
        name, type=whole, default=default, metavar="N", help=f"{words} (default: %(default)s)"
    )


def _finish(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_common(parser, again=True)


def _clients(arguments: argparse.Namespace) -> int:
    from core.lab.scale.load import LoadPlan, measure_load
    from core.lab.scale.load_report import HEADINGS, report, rows
    from core.net.addresses import parse_hub_url

    if arguments.front_ends > 1 and (arguments.store or "sqlite:").startswith("sqlite:"):
        raise UsageError("Only Redis is shared by several hubs. Name one with --store redis://….")
    plan = LoadPlan(
        clients=arguments.clients,
        period_s=float(arguments.period),
        seconds=float(arguments.seconds),
        groups=arguments.groups,
        want=arguments.want,
        hub=parse_hub_url(arguments.hub).url if arguments.hub else None,
        store=arguments.store,
        front_ends=arguments.front_ends,
        seed=arguments.seed,
    )
    figures = report(asyncio.run(measure_load(plan)))
    if arguments.json:
        print_json(figures)
        return 0
    say(f"{plan.clients:,} clients, one round in {plan.period_s:.0f} s each")
    print_table(HEADINGS, rows(figures))
    return 0


def _simulate(arguments: argparse.Namespace) -> int:
    from core.lab.scale.findings import find, headings, rows
    from core.lab.scale.simulation import simulate

    findings = [find(simulate(_plan(arguments, nodes))) for nodes in arguments.nodes]
    if arguments.json:
        print_json(findings)
        return 0
    print_table(headings(findings), rows(findings))
    return 0


def _plan(arguments: argparse.Namespace, nodes: int) -> "SimulationPlan":
    from core.lab.scale.world import SimulationPlan

    return SimulationPlan(
        nodes=nodes,
        rounds=arguments.rounds,
        seed=arguments.seed,
        period_s=float(arguments.period),
        churn=arguments.churn / 100,
        reachable=arguments.reachable / 100,
        hostile=arguments.hostile / 100,
        sites=arguments.sites,
        hubs=arguments.hubs,
        hostile_hubs=arguments.hostile_hubs,
        hubs_down=arguments.hubs_down,
        outage_rounds=arguments.outage,
        contacts=arguments.contacts,
    )
