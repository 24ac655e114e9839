"""What every contestant is given: a model, the work, and the questions, all in one line of JSON."""

from pathlib import Path
from typing import Any

import msgspec

from core.bench.material import LapWork
from core.models.catalog.catalog import ModelSpec
from core.rollouts.types import Question


class Job(msgspec.Struct, frozen=True):
    """The same for all contestants of a run."""

    spec: ModelSpec
    work: LapWork
    asked: tuple[Question, ...]
    threads: int
    sampler: str = "torch"  # of our own rounds
    rows: int = 64  # sequences in one forward and backward pass of those who repeat prompts
    learning_rate: float = 1e-6


def encode_job(job: Job) -> str:
    """Write ``job`` as one line of JSON."""
    return msgspec.json.encode(job, enc_hook=str).decode()  # of a path, msgspec knows nothing


def decode_job(line: str) -> Job:
    """Read what ``encode_job`` wrote."""
    return msgspec.json.decode(line, type=Job, dec_hook=_path)


def _path(kind: type, value: Any) -> Any:  # noqa: ANN401 - msgspec's own signature
    assert issubclass(kind, Path)
    return kind(value)
