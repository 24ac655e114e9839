"""``waggle lab``: experiments, and the making of the starter models."""

import argparse
import sys
from pathlib import Path

from core.cli import lab_learning, lab_scale
from core.cli.parsing import Commands, add_common, count, seed, whole
from core.paths import RESOURCES

EXAMPLE = "Example: waggle lab pretrain spark --seed 1"


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("lab", help="experiments for the curious", epilog=EXAMPLE)
    actions = parser.add_subparsers(metavar="EXPERIMENT", required=True)
    pretrain = actions.add_parser("pretrain", help="make a starter model again", epilog=EXAMPLE)
    pretrain.add_argument("model", help="spark or ember")
    pretrain.add_argument("--seed", type=seed, default=1, metavar="N", help="default: %(default)s")
    pretrain.add_argument("--documents", type=count, metavar="N", help="size of the corpus")
    pretrain.add_argument(
        "--from",
        dest="origin",
        type=Path,
        metavar="DIR",
        help="folder of a starter to go on from, with its weights and its tokenizer "
        "(default: random weights)",
    )
    pretrain.add_argument(
        "--threads", type=count, default=2, metavar="N", help="default: %(default)s"
    )
    pretrain.add_argument(
        "--device", default="cpu", metavar="NAME", help="cuda for a graphics card (default: cpu)"
    )
    pretrain.add_argument(
        "--writers",
        type=whole,
        default=0,
        metavar="N",
        help="processes that write the corpus ahead, for a quick device (default: %(default)s)",
    )
    pretrain.add_argument(
        "--compile",
        action="store_true",
        help="let torch compile the model: half as fast again, and needs a C++ compiler",
    )
    pretrain.add_argument(
        "--out",
        type=Path,
        default=RESOURCES / "models",
        metavar="DIR",
        help="the model's folder is made in it, and beside it one from which a longer training "
        "goes on (default: the program's own models)",
    )
    add_common(pretrain, again=True)
    pretrain.set_defaults(run=_pretrain)
    lab_learning.add_to(actions)
    lab_scale.add_to(actions)


def _pretrain(arguments: argparse.Namespace) -> int:
    from core.lab.make_starter import TrainingResources
    from core.lab.workshop import StarterOrder, pretrain

    order = StarterOrder(
        model=arguments.model,
        seed=arguments.seed,
        documents=arguments.documents,
        threads=arguments.threads,
        out=arguments.out,
        origin=arguments.origin,
        resources=TrainingResources(arguments.device, arguments.writers, arguments.compile),
    )
    pretrain(order, lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201 - progress
    return 0
