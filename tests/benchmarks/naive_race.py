"""The update that repeats every prompt, as a contestant."""

from typing import IO

import torch

from core.bench.contest import timed
from core.bench.job import BenchJob
from core.bench.material import scored_groups
from core.bench.races import load
from core.bench.racing import serve
from core.training.encoding import encode_group
from tests.naive_update import naive_loss


def race(job: BenchJob, pipe: IO[bytes]) -> None:
    """The same step with every prompt repeated, full logits, in the largest batches that fit."""
    policy = load(job)
    scored = scored_groups(policy, job.asked, job.work)
    groups = [group for s in scored if (group := encode_group(policy, s)) is not None]
    optimiser = torch.optim.Adam(policy.adapter().values(), lr=policy.spec.learning_rate)
    together = max(1, job.rows // job.work.members)
    batches = [groups[at : at + together] for at in range(0, len(groups), together)]

    def step() -> float:
        optimiser.zero_grad()
        for batch in batches:
            loss = naive_loss(policy.causal_lm, batch, policy.eos_id) / len(batches)
            loss.backward()
        optimiser.step()
        return job.work.tokens

    serve(timed(step), pipe)
