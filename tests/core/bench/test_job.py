"""Jobs on their way to a contestant."""

from pathlib import Path

import torch
from msgspec.structs import replace

from core.bench.job import BenchJob, decode_job, encode_job
from core.bench.material import LapWork
from core.models.memory.compute import ON_CPU, Compute
from tests.tiny_models import question, tiny_spec

JOB = BenchJob(
    tiny_spec(Path("somewhere")), LapWork(2, 2, 8, 3), (question("Calculate 1 + 2."),), 1
)


def test_a_job_comes_back_equal() -> None:
    """In one line, folders included."""
    line = encode_job(JOB)
    assert "\n" not in line
    assert decode_job(line) == JOB


def test_a_job_works_where_it_is_told_to() -> None:
    """Else where a node would."""
    assert JOB.compute == ON_CPU
    told = replace(JOB, device="cuda:1", dtype="bfloat16")
    assert told.compute == Compute(torch.device("cuda:1"), torch.bfloat16)
