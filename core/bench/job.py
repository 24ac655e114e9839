"""What every contestant is given: a model, the work, and the questions, all in one line of JSON."""

from pathlib import Path
from typing import Any

import msgspec
import torch

from core.bench.material import LapWork
from core.models.catalog.catalog import ModelSpec
from core.models.memory.compute import Compute, choose_compute
from core.rollouts.types import Question


class BenchJob(msgspec.Struct, frozen=True):
    """The same for all contestants of a run."""

    spec: ModelSpec
    work: LapWork
    asked: tuple[Question, ...]
    threads: int
    sampler: str = "torch"  # of our own rounds
    rows: int = 64  # sequences in one forward and backward pass of those who repeat prompts
    device: str = ""  # empty: what a node would choose for the model
    dtype: str = ""  # of the frozen weights on ``device``, as torch calls it
    together: int = 128  # sequences that our own sampler decodes at once

    @property
    def compute(self) -> Compute:
        """Where all of them work."""
        if not self.device:
            return choose_compute(self.spec.parameters)
        return Compute(torch.device(self.device), getattr(torch, self.dtype))


def dtype_name(dtype: torch.dtype) -> str:
    """What torch calls it, without the module; ``BenchJob.dtype`` is one."""
    return str(dtype).removeprefix("torch.")


def encode_job(job: BenchJob) -> str:
    """Write ``job`` as one line of JSON."""
    return msgspec.json.encode(job, enc_hook=str).decode()  # of a path, msgspec knows nothing


def decode_job(line: str) -> BenchJob:
    """Read what ``encode_job`` wrote."""
    return msgspec.json.decode(line, type=BenchJob, dec_hook=_path)


def _path(kind: type, value: Any) -> Any:  # noqa: ANN401 - msgspec's own signature
    if not issubclass(kind, Path):
        raise NotImplementedError(kind)
    return kind(value)
