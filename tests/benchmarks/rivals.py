"""What the benchmarks share: the models, the questions, and how a rival is asked for."""

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import platformdirs
import torch

from core.bench.material import LapWork, questions, usual_work
from core.models.catalog.catalog import SMALL_MODEL, ModelSpec, load_models
from core.models.policy.language import read_language
from core.paths import RESOURCES
from core.rollouts.types import Question
from core.tasks.catalog import PracticeMix, load_catalog
from core.tasks.reasoning_tasks import make_puzzle
from tests.benchmarks.job import Job

RANDOM = "random-"
"""Before the name of a model of the catalogue: its true size, with random weights."""

ROPE_THETA = 1e6
LARGE_ROWS = 16
"""Sequences that rivals take at once of a large model: 64 of half a billion do not fit 24 GiB."""

_TOKENIZER = ("tokenizer.json", "tokenizer_config.json")


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


def build_random_model(spec: ModelSpec, seed: int = 0) -> None:
    """Write random weights of the shape of ``spec`` in half precision, with spark's tokenizer.

    The tokenizer has fewer tokens than the vocabulary: what is drawn beyond it has no text.
    """
    from transformers import AutoConfig, AutoModelForCausalLM

    shape = spec.shape
    config = AutoConfig.for_model(
        spec.family,
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        tie_word_embeddings=shape.tied,
        rope_theta=ROPE_THETA,
        max_position_embeddings=32_768,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=0,
    )
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.save_pretrained(spec.folder)
    for name in _TOKENIZER:
        shutil.copy(RESOURCES / "models" / "spark" / name, spec.folder)
    (spec.folder / "done").touch()


def job_of(chosen: argparse.Namespace, spec: ModelSpec, asked: Sequence[Question]) -> Job:
    """What every contestant is given; rivals take as many rows at once as memory lets them."""
    work = work_of(chosen, spec)
    every = work.groups * work.members
    rows = chosen.rows or (every if spec.parameters < SMALL_MODEL else min(every, LARGE_ROWS))
    return Job(spec, work, tuple(asked), chosen.threads, rows=rows)


def made_up_questions(spec: ModelSpec, work: LapWork) -> list[Question]:
    """Questions of one length in the tokens of ``spec``."""
    language = read_language(spec.folder, chat=spec.chat)
    return questions(lambda text: len(language.encode_prompt(text)), work)


def real_questions(count: int) -> list[Question]:
    """Puzzles of the practice mix, which the judge can judge."""
    catalog = load_catalog()
    rng = Random(0)
    asked: list[Question] = []
    while len(asked) < count:
        keys = PracticeMix(catalog, 1).draw(count, rng)
        found = [make_puzzle(catalog, key).question for key in keys]
        asked += [question for question in found if not question.is_held_out]
    return asked[:count]
