"""The policy: a causal language model, a LoRA adapter on it, and the one tokenizer of both.

Token ids are the only currency between sampler and learner. A text becomes
``tokens(prompt.strip() + newline)``, then ``tokens(completion)``, then the end-of-sequence token
where the completion ended; prompt and completion are encoded apart, so that the border between
them never depends on what follows it. There is no beginning-of-sequence token.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from peft import PeftModel
from peft.tuners.lora import LoraLayer
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import DynamicCache, LlamaForCausalLM, Qwen2ForCausalLM

from core.models.catalog import ModelSpec

CausalLm = LlamaForCausalLM | Qwen2ForCausalLM


class Policy:
    """A base model that never changes, and the adapter that learns.

    It stays in evaluation mode for good: nothing here uses dropout, and sampler and learner must
    see the same distribution.
    """

    def __init__(
        self, spec: ModelSpec, network: PeftModel, tokenizer: Tokenizer, eos_id: int
    ) -> None:
        self.spec = spec
        self.eos_id = eos_id
        self.pad_id = eos_id  # masks and positions decide what is padding, never the id
        self._network = network.eval()
        self._tokenizer = tokenizer
        self.causal_lm: CausalLm = network.get_base_model()
        self._is_base = False

    # Text and tokens

    def encode_prompt(self, text: str) -> list[int]:
        """Token ids of a question; at least one."""
        return self._encode(text.strip() + "\n")

    def encode_completion(self, text: str, *, ended: bool) -> list[int]:
        """Token ids of an answer, closed by the end-of-sequence token if the author closed it."""
        ids = self._encode(text)
        return [*ids, self.eos_id] if ended else ids

    def decode(self, ids: Sequence[int]) -> str:
        """Text of ``ids`` without special tokens and surrounding white space."""
        return self._tokenizer.decode(list(ids), skip_special_tokens=True).strip()

    def _encode(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    # Tensors

    def new_cache(self) -> DynamicCache:
        """Build an empty key-value cache."""
        return DynamicCache(config=self.causal_lm.config)

    def hidden_states(
        self,
        ids: Tensor,
        positions: Tensor | None = None,
        mask: Tensor | None = None,
        cache: DynamicCache | None = None,
    ) -> Tensor:
        """Run the body of the network.

        Args:
            ids: [row, token].
            positions: [row, token]; None counts from 0 in every row.
            mask: bool [row, 1, token, cached + token], True where a token may look; None is causal.
            cache: keys and values seen so far, extended in place.

        Returns:
            [row, token, hidden].
        """
        output = self.causal_lm.model(
            input_ids=ids,
            position_ids=positions,
            attention_mask=mask,
            past_key_values=cache,
            use_cache=cache is not None,
        )
        hidden: Tensor = output.last_hidden_state
        return hidden

    def logits(self, hidden: Tensor) -> Tensor:
        """Scores over the vocabulary: [..., hidden] -> float32 [..., vocabulary]."""
        scores: Tensor = self.causal_lm.lm_head(hidden)
        return scores.float()

    def fingerprint(self) -> str:
        """Sixteen hex characters that differ between two trainings of the same architecture.

        Every training moves the norms of all layers, and they are small at any size of model.
        """
        digest = hashlib.sha256()
        for _, parameter in sorted(self.causal_lm.named_parameters()):
            if parameter.dim() == 1:
                digest.update(parameter.detach().numpy().tobytes())
        return digest.hexdigest()[:16]

    def adapter(self) -> dict[str, nn.Parameter]:
        """What learns, by name, in a fixed order; the optimiser owns exactly these."""
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

    @contextmanager
    def merged(self) -> Iterator[None]:
        """The adapter folded into the weights while the context lasts, for quick inference.

        The untouched base weights are put back afterwards, so nothing drifts.
        """
        if self._is_base:
            yield
            return
        layers = [m for m in self._network.modules() if isinstance(m, LoraLayer)]
        originals = [layer.get_base_layer().weight.data for layer in layers]
        try:
            with torch.no_grad():
                for layer, original in zip(layers, originals, strict=True):
                    delta = layer.get_delta_weight("default")
                    layer.get_base_layer().weight.data = original + delta
            with self._network.disable_adapter():
                yield
        finally:
            for layer, original in zip(layers, originals, strict=True):
                layer.get_base_layer().weight.data = original
