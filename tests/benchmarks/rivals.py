"""What the benchmarks share: the models, the questions, and how a rival is asked for."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec
import platformdirs

from core.bench.job import BenchJob
from core.bench.material import LapWork, questions, usual_work
from core.bench.random_models import build_random_model
from core.models.catalog.catalog import SMALL_MODEL, ModelSpec, load_models
from core.models.policy.language import read_language
from core.rollouts.types import Question

RANDOM = "random-"
"""Before the name of a model of the catalogue: its true size, with random weights."""

LARGE_ROWS = 16
"""Sequences that rivals take at once of a large model: 64 of half a billion do not fit 24 GiB."""


def parser(description: str) -> argparse.ArgumentParser:
    """The options that all of them take."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--model", default="spark", help=f"of the catalogue, or {RANDOM} and its name"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--laps", type=int, default=5)
    parser.add_argument("--groups", type=int, help="questions in a lap")
    parser.add_argument("--tokens", type=int, help="of every completion")
    parser.add_argument(
        "--folder",
        type=Path,
        default=platformdirs.user_cache_path("waggle-bench", appauthor=False),
        help="keeps random models and the environment of TRL (default: %(default)s)",
    )
    return parser


def work_of(chosen: argparse.Namespace, spec: ModelSpec) -> LapWork:
    """The usual work of a model of that size, as far as nothing else was asked for."""
    usual = usual_work(spec)
    return msgspec.structs.replace(
        usual,
        groups=chosen.groups or usual.groups,
        completion_tokens=chosen.tokens or usual.completion_tokens,
    )


def find_model(name: str, folder: Path) -> ModelSpec:
    """A model of the catalogue that is here, or one of random weights, made where it is missing."""
    if not name.startswith(RANDOM):
        return load_models().get(name)
    spec = load_models().get(name.removeprefix(RANDOM))
    random = msgspec.structs.replace(spec, id=name, folder=folder / name, repo=None, chat=False)
    if not (random.folder / "done").exists():
        build_random_model(random)
    return random


def job_of(chosen: argparse.Namespace, spec: ModelSpec, asked: Sequence[Question]) -> BenchJob:
    """What every contestant is given; rivals take as many rows at once as memory lets them."""
    work = work_of(chosen, spec)
    every = work.groups * work.members
    rows = chosen.rows or (every if spec.parameters < SMALL_MODEL else min(every, LARGE_ROWS))
    return BenchJob(spec, work, tuple(asked), chosen.threads, rows=rows)


def made_up_questions(spec: ModelSpec, work: LapWork) -> list[Question]:
    """Questions of one length in the tokens of ``spec``."""
    language = read_language(spec.folder, chat=spec.chat)
    return questions(lambda text: len(language.encode_prompt(text)), work)
