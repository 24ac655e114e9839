"""A trainer that exchanges text, as a contestant.

It works as GenRL's trainer does: all weights learn, in float32; transformers' ``generate`` draws
one answer to every prompt, and is called as often as a group has members; the answers become text
and the text becomes tokens again; two sequences are in a forward and backward pass, with
activations computed twice.
"""

import time
from collections.abc import Sequence
from typing import IO, Any

import torch
from torch.nn.functional import cross_entropy
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast

from core.bench.contest import Lap
from core.bench.job import BenchJob
from core.bench.material import every_other
from core.bench.racing import serve

MINI_BATCH = 2
RATE = 1e-6


class TextTrainer:
    """Model, tokenizer and optimiser, and one round of them."""

    def __init__(self, job: BenchJob) -> None:
        folder = str(job.spec.folder)
        self._job = job
        self._tokenizer: Any = PreTrainedTokenizerFast.from_pretrained(folder)
        self._tokenizer.pad_token = self._tokenizer.pad_token or self._tokenizer.eos_token
        self._model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
        self._model.generation_config.eos_token_id = None  # all completions have the same length
        self._optimiser = torch.optim.Adam(self._model.parameters(), lr=RATE)

    def lap(self) -> Lap:
        """Draw, reward and learn."""
        began = time.perf_counter()
        members = self._job.work.members
        asked = [question.prompt for question in self._job.asked]
        drawings = [self._draw(asked) for _ in range(members)]
        prompts = [prompt for prompt in asked for _ in range(members)]
        answers = [answer for group in zip(*drawings, strict=True) for answer in group]
        drawn = time.perf_counter()
        self._learn(prompts, answers)
        ended = time.perf_counter()
        parts = {"sampling": drawn - began, "learning": ended - drawn}
        return Lap(ended - began, self._job.work.tokens, parts=parts)

    def _draw(self, prompts: Sequence[str]) -> list[str]:
        self._model.eval()
        self._model.gradient_checkpointing_disable()
        inputs = self._tokenizer(
            list(prompts), return_tensors="pt", padding=True, padding_side="left"
        )
        with torch.inference_mode():
            rows = self._model.generate(
                input_ids=inputs.input_ids,
                attention_mask=inputs.attention_mask,
                do_sample=True,
                temperature=1.0,
                top_k=0,
                top_p=1.0,
                pad_token_id=self._tokenizer.pad_token_id,
                max_new_tokens=self._job.work.completion_tokens,
            )
        width = inputs.input_ids.shape[1]
        texts: list[str] = self._tokenizer.batch_decode(rows[:, width:], skip_special_tokens=True)
        return texts

    def _learn(self, prompts: Sequence[str], answers: Sequence[str]) -> None:
        self._model.train()
        self._model.gradient_checkpointing_enable()
        self._optimiser.zero_grad()
        rewards = torch.tensor(every_other(self._job.work.members))
        advantages = ((rewards - rewards.mean()) / rewards.std()).repeat(self._job.work.groups)
        for at in range(0, len(prompts), MINI_BATCH):
            some = slice(at, at + MINI_BATCH)
            loss = self._loss(prompts[some], answers[some], advantages[some])
            (loss * MINI_BATCH / len(prompts)).backward()
        self._optimiser.step()

    def _loss(
        self, prompts: Sequence[str], answers: Sequence[str], advantages: torch.Tensor
    ) -> torch.Tensor:
        """The clipped surrogate at ratio 1, a mean over each answer's tokens."""
        before = self._tokenizer(
            list(prompts), return_tensors="pt", padding=True, padding_side="left"
        )
        after = self._tokenizer(
            [answer or " " for answer in answers],
            return_tensors="pt",
            padding=True,
            padding_side="right",
        )
        ids = torch.cat([before.input_ids, after.input_ids], 1)
        seen = torch.cat([before.attention_mask, after.attention_mask], 1)
        length = after.input_ids.shape[1]
        kept = length + 1  # scores for the completion alone
        logits = self._model(input_ids=ids, attention_mask=seen, logits_to_keep=kept).logits
        scores = logits[:, :-1].transpose(1, 2)
        logprobs = -cross_entropy(scores, after.input_ids, reduction="none")
        ratio = (logprobs - logprobs.detach()).exp()
        losses = -ratio * advantages[:, None] * after.attention_mask
        mean: torch.Tensor = (losses.sum(1) / after.attention_mask.sum(1)).mean()
        return mean


def race(job: BenchJob, pipe: IO[bytes]) -> None:
    """Whole rounds."""
    serve(TextTrainer(job).lap, pipe)
