"""The policy: a causal language model, a LoRA adapter on it, and the one tokenizer of both.

Token ids are the only currency between sampler and learner. A text becomes the prompt's tokens (see
``core.models.policy.language``), then ``tokens(completion)``, then the end-of-sequence token where
the completion ended; prompt and completion are encoded apart, so that the border between them never
depends on what follows it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import Final

from torch import nn
from transformers import LlamaForCausalLM, Qwen2ForCausalLM, Qwen3ForCausalLM

from core.models.catalog.catalog import ModelSpec
from core.models.memory.compute import Compute
from core.models.policy.adapters import PeftModel
from core.models.policy.language import Language
from core.models.policy.longest_token import longest_token

CausalLm = LlamaForCausalLM | Qwen2ForCausalLM | Qwen3ForCausalLM

BASE_VERSION: Final = 0
"""The version of a policy that has learnt nothing."""


@dataclass(frozen=True, slots=True)
class BaseWeights:
    """The frozen weights: their device, precision and fingerprint."""

    compute: Compute
    fingerprint: str  # 16 hex characters: see core.models.policy.loading


class Policy:
    """A base model that never changes, and the adapter that learns.

    It stays in evaluation mode for good: nothing here uses dropout, and sampler and learner must
    see the same distribution.
    """

    def __init__(
        self, spec: ModelSpec, network: PeftModel, language: Language, base: BaseWeights
    ) -> None:
        self.spec = spec
        self.eos_id = language.eos_id
        self.compute = base.compute
        self.device, self.dtype = base.compute.device, base.compute.dtype
        self.fingerprint = base.fingerprint
        self.causal_lm: CausalLm = network.get_base_model()
        self._network = network.eval()
        self._language = language
        self._longest_token = longest_token(language.tokenizer)
        self._version = BASE_VERSION
        self._is_base = False

    # What it has learnt

    @property
    def version(self) -> int:
        """Tells a sampler whether the weights that it holds are still those of the policy.

        It rises with every change of the adapter; ``BASE_VERSION`` means that the adapter changes
        nothing, or is switched off by ``base``.
        """
        return BASE_VERSION if self._is_base else self._version

    def learned(self) -> None:
        """Note that the adapter has changed: whoever writes to it calls this."""
        self._version += 1

    # Text and tokens

    def encode_prompt(self, text: str) -> list[int]:
        """Token ids of a question; at least one."""
        return self._language.encode_prompt(text)

    def going_on_from(self, text: str) -> "Policy":
        """The same policy, all of whose answers go on from ``text`` and are told without it."""
        other = copy(self)
        begun = tuple(self._language.encode(text))
        other._language = replace(self._language, after=(*self._language.after, *begun))  # noqa: SLF001 - its own class
        return other

    def encode_completion(self, text: str, *, ended: bool) -> list[int]:
        """Token ids of an answer, closed by the end-of-sequence token if the author closed it."""
        ids = self._language.encode(text)
        return [*ids, self.eos_id] if ended else ids

    def cannot_fit(self, text: str) -> bool:
        """Whether ``text`` is so long that, whatever its tokens, no answer has room for them."""
        longest = self._longest_token
        return longest is not None and len(text) > longest * self.spec.completion_tokens

    def decode(self, ids: Sequence[int]) -> str:
        """Text of ``ids`` without special tokens and surrounding white space."""
        return self._language.decode(ids)

    # What learns

    def adapter(self) -> dict[str, nn.Parameter]:
        """The adapter's parameters by name, in a fixed order; the optimiser owns exactly these."""
        return {
            name: parameter
            for name, parameter in self.causal_lm.named_parameters()
            if "lora_" in name
        }

    @contextmanager
    def base(self) -> Iterator[None]:
        """The model as it was before any training, while the context lasts."""
        self._is_base = True
        try:
            with self._network.disable_adapter():
                yield
        finally:
            self._is_base = False
