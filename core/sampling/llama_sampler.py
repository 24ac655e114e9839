"""A sampler on llama.cpp: the base as a GGUF file, the policy's adapter swapped onto it."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch

from core.errors import ModelError
from core.i18n import translatable
from core.models.export.gguf_export import write_adapter
from core.models.memory.budget import SharedBudget, require_memory
from core.models.memory.fit import Rounds, llama_context
from core.models.memory.shortage import memory_short
from core.models.policy.policy import BASE_VERSION, Policy
from core.paths import explain_os_error
from core.rollouts.types import Completion, Question
from core.sampling.asked import UNANSWERED, ask, completion_of
from core.sampling.drawing import argmax, draw
from core.sampling.llama_decoding import DecodingTask, LlamaRows, decode
from core.sampling.llama_runtime import MOST_ROWS, GgufHeader, LlamaRuntime


class LlamaSampler:
    """Draws at temperature 1 from the whole vocabulary; ``greedy`` takes the likeliest instead.

    With the same seed it draws the tokens that ``TorchSampler`` draws, but for those where the two
    disagree by a rounding error.
    """

    def __init__(
        self,
        policy: Policy,
        runtime: LlamaRuntime,
        budget: SharedBudget | None = None,
        *,
        greedy: bool = False,
    ) -> None:
        """Take ``runtime`` over, which holds the base of ``policy`` and no adapter.

        Raises:
            ModelError: it holds another model.
        """
        _check(policy, runtime.header)
        self._policy = policy
        self._runtime = runtime
        self._budget = budget or SharedBudget()
        self._choose = argmax if greedy else draw
        self._version = BASE_VERSION

    def close(self) -> None:
        """Give the native memory back; the sampler is of no use afterwards."""
        self._runtime.close()

    def complete(
        self,
        questions: Sequence[Question],
        group_size: int,
        seed: int,
        *,
        most_tokens: int | None = None,
    ) -> list[tuple[Completion, ...]]:
        """Draw ``group_size`` completions for each question, in order.

        A question too long for the model's context gets empty completions that did not end.
        ``seed`` is in [0, 2**63). ``most_tokens`` cuts the model's own budget for a completion.

        Raises:
            MemoryShortError: there is not enough memory, whatever is given up.
            HomeError: the adapter cannot be written.
        """
        asked = ask(self._policy, questions, group_size, seed, most_tokens)
        answers = [(UNANSWERED,) * group_size for _ in questions]
        if not asked.fitting:
            return answers
        self._refresh()
        prompts = [asked.prompts[i] for i in asked.fitting]
        task = DecodingTask(prompts, asked.noise[asked.fitting], self._policy.eos_id, self._choose)
        with torch.inference_mode():
            completions = self._read(self._decode(task))
        for place, i in enumerate(asked.fitting):
            answers[i] = tuple(completions[place * group_size : (place + 1) * group_size])
        return answers

    def _decode(self, task: DecodingTask) -> LlamaRows:
        """Decode with as many rows as memory allows; when it runs out, begin anew with fewer.

        Nothing of the sequences stays: the update that follows needs the memory that they took.
        """
        chunk, longest = Rounds(*task.noise.shape[:2]), max(map(len, task.prompts))
        while True:
            budget = self._budget.current
            rows = min(budget.sampler_rows, MOST_ROWS)
            try:
                need = llama_context(self._policy.spec, budget, chunk, longest)
                require_memory(self._policy.device, need)
                return decode(self._runtime, task, rows)
            except MemoryError as error:
                if not self._budget.shrink_sampling():
                    raise memory_short(self._policy.spec) from error
            finally:
                self._runtime.close_context()

    def _read(self, drawn: LlamaRows) -> list[Completion]:
        completions = []
        for row, length in enumerate(drawn.lengths.tolist()):
            ids, logprobs = drawn.ids[row, :length], drawn.logprobs[row, :length]
            completions.append(completion_of(self._policy, ids.tolist(), logprobs.tolist()))
        return completions

    def _refresh(self) -> None:
        """Swap the adapter if the policy has learnt since the last one."""
        version = self._policy.version
        if version == self._version:
            return
        if version == BASE_VERSION:
            self._runtime.use_adapter(None)
        else:
            try:
                # A virus scanner may still have the file when it has been read.
                with tempfile.TemporaryDirectory(
                    prefix="waggle-", ignore_cleanup_errors=True
                ) as folder:
                    path = Path(folder) / "adapter.gguf"
                    write_adapter(self._policy, path)
                    self._runtime.use_adapter(path)
            except OSError as error:
                raise explain_os_error(error, Path(tempfile.gettempdir())) from error
        self._version = version


def _check(policy: Policy, found: GgufHeader) -> None:
    config = policy.causal_lm.config
    wanted = GgufHeader(
        architecture=policy.spec.family,
        layers=config.num_hidden_layers,
        hidden=config.hidden_size,
        vocabulary=config.vocab_size,
    )
    if found != wanted:
        raise ModelError(
            translatable(
                "The copy of the model {} for llama.cpp is one of another model. "
                "Delete it, and it is made again.",
                policy.spec.title,
            )
        )
