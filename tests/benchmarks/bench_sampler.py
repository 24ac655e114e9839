"""Our sampler against transformers' generate: ``python3 dev.py bench sampler``.

Both count the tokens that they keep, end token included.
"""
# ruff: noqa: T201 - a script talks to the person who runs it

from typing import Any

import torch

from core.rollouts.types import Question
from core.sampling.torch_sampler import TorchSampler
from tests.benchmarks.rivals import GROUP_SIZE, GROUPS, compare, starter_policy
from tests.tiny_models import question

QUESTIONS: list[Question] = [
    question(f"Calculate {17 * n} + {31 * n * n} - {n}. Answer with the number alone.", index=n)
    for n in range(GROUPS)
]


def main() -> None:
    """Print tokens per second of both, and their ratio."""
    policy = starter_policy()
    sampler = TorchSampler(policy)
    model: Any = policy.causal_lm  # generate's annotations fit no class of its own library
    prompts = [policy.encode_prompt(asked.prompt) for asked in QUESTIONS]
    width = max(len(prompt) for prompt in prompts)
    padded = torch.tensor([[policy.pad_id] * (width - len(p)) + p for p in prompts])
    seen = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts])
    counts = {"ours": 0, "theirs": 0}

    def ours() -> None:
        groups = sampler.complete(QUESTIONS, GROUP_SIZE, seed=1)
        counts["ours"] = sum(len(c.tokens.ids) for group in groups for c in group if c.tokens)

    def theirs() -> None:
        with torch.inference_mode():
            rows = model.generate(
                padded.repeat_interleave(GROUP_SIZE, 0),
                attention_mask=seen.repeat_interleave(GROUP_SIZE, 0),
                do_sample=True,
                temperature=1.0,
                top_k=0,
                top_p=1.0,
                max_new_tokens=policy.spec.completion_tokens,
            )[:, width:]
        open_before = (rows == policy.eos_id).cumsum(1).roll(1, 1)
        open_before[:, 0] = 0
        counts["theirs"] = int((open_before == 0).sum())

    our_seconds, their_seconds = compare(ours, theirs)
    our_speed, their_speed = counts["ours"] / our_seconds, counts["theirs"] / their_seconds
    print(f"{len(QUESTIONS)} questions, {GROUP_SIZE} completions each")
    print(f"ours {our_speed:.0f}, generate {their_speed:.0f} tokens/s: ", end="")
    print(f"{our_speed / their_speed:.2f} times")


if __name__ == "__main__":
    main()
