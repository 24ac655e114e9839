"""The forward pass of the Llama family for training: exactly what the gradient needs, and no more.

transformers' own pass serves every use of these models; this one knows that the weights are frozen,
that only LoRA factors learn, and that tokens come as a flat list (``core.training.batch``). Tests
hold it to transformers' log-probabilities and gradients for every family.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from core.models.policy.adapters import ADAPTER
from core.models.policy.four_bit import dense, rows_of, weight_of
from core.models.policy.policy import Policy
from core.training.adapted import Adapted, AdaptedMlp, feed_forward, project
from core.training.attention import Heads, Layout, attend, lay_out
from core.training.batch import PackedBatch

# autograd hands every function a context of its own making.
# ruff: noqa: ANN401


def rms_norm(x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    """Root-mean-square normalisation over the last dimension, in float32 inside.

    ``weight`` is frozen.
    """
    normed: Tensor = _RmsNorm.apply(x, weight, epsilon)  # type: ignore[no-untyped-call]  # ships unannotated
    return normed


def rotate(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary position embedding: x cos + (-second half, first half of x) sin, in float32 inside.

    ``x`` is [slot, head, size], the others float32 [slot, 1, size] with two equal halves.
    """
    rotated: Tensor = _Rotate.apply(x, cosine, sine)  # type: ignore[no-untyped-call]  # ships unannotated
    return rotated


class _RmsNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
        wide = x.float()
        size = wide.square().mean(-1, keepdim=True)
        inverse = size.add_(epsilon).rsqrt_()
        ctx.save_for_backward(x, weight, inverse)
        return (wide * inverse).mul_(weight).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        x, weight, inverse = ctx.saved_tensors
        normed = x.float() * inverse
        slope = gradients[0].float() * weight
        along = (slope * normed).mean(-1, keepdim=True)
        return slope.addcmul_(normed, along, value=-1).mul_(inverse).to(x.dtype), None, None


class _Rotate(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
        ctx.save_for_backward(cosine, sine)
        return _turned(x, cosine, sine, 1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        cosine, sine = ctx.saved_tensors
        return _turned(gradients[0], cosine, sine, -1), None, None


def _turned(x: Tensor, cosine: Tensor, sine: Tensor, direction: int) -> Tensor:
    turned = x * cosine
    half = x.shape[2] // 2
    turned[..., :half].addcmul_(x[..., half:], sine[..., half:], value=-direction)
    turned[..., half:].addcmul_(x[..., :half], sine[..., :half], value=direction)
    return turned.to(x.dtype)


@dataclass(frozen=True, slots=True)
class RopeTables:
    """Rotary position embedding of every slot: both float32 [slot, 1, size]."""

    cosine: Tensor
    sine: Tensor


@dataclass(frozen=True, slots=True)
class Norm:
    """Root-mean-square normalisation."""

    weight: Tensor  # [size]
    epsilon: float

    def __call__(self, x: Tensor) -> Tensor:
        """[.., size] -> [.., size]."""
        return rms_norm(x, self.weight, self.epsilon)


@dataclass(frozen=True, slots=True)
class DecoderLayer:
    """One layer of the network."""

    before_attention: Norm
    queries_keys_values: tuple[Adapted, Adapted, Adapted]
    of_queries: Norm | None  # Qwen3 normalises every head
    of_keys: Norm | None
    output: Adapted
    before_mlp: Norm
    mlp: AdaptedMlp
    heads: Heads

    def __call__(self, hidden: Tensor, rotation: RopeTables, layout: Layout) -> Tensor:
        """[slot, hidden] -> [slot, hidden]."""
        hidden = hidden + self._attention(self.before_attention(hidden), rotation, layout)
        return hidden + feed_forward(self.before_mlp(hidden), self.mlp)

    def _attention(self, x: Tensor, rotation: RopeTables, layout: Layout) -> Tensor:
        projected = project(x, self.queries_keys_values)
        queries, keys, values = (y.view(len(x), -1, self.heads.size) for y in projected)
        if self.of_queries is not None and self.of_keys is not None:
            queries, keys = self.of_queries(queries), self.of_keys(keys)
        queries = rotate(queries, rotation.cosine, rotation.sine)
        keys = rotate(keys, rotation.cosine, rotation.sine)
        mixed = attend(queries, keys, values, layout)
        (output,) = project(mixed.flatten(1), (self.output,))
        return output


class TrainingBody:
    """The policy's network as it is now; made anew for every update."""

    def __init__(self, policy: Policy, *, checkpointing: bool = False) -> None:
        model: Any = policy.causal_lm.model  # transformers' modules, whose attributes are untyped
        folds = policy.dtype == torch.float32 and policy.spec.is_small
        self.head: Tensor = policy.causal_lm.lm_head.weight.detach()  # [vocabulary, hidden]
        self._embedding: Tensor = model.embed_tokens.weight.detach()
        self._rotary = model.rotary_emb
        self._blocks = [_block(layer, folds=folds) for layer in model.layers]
        self._last = _norm(model.norm)
        self._checkpointing = checkpointing

    def hidden_states(self, batch: PackedBatch) -> Tensor:
        """Run the body of the network on a batch: [slot, hidden], with gradient."""
        hidden = functional.embedding(batch.ids, self._embedding)
        with torch.no_grad():
            like = hidden.new_empty(0, dtype=torch.float32)  # as precise as the sampler's
            cosine, sine = self._rotary(like, batch.positions[None])
        rotation = RopeTables(cosine[0, :, None], sine[0, :, None])
        layout = lay_out(batch.rectangles, self._blocks[0].heads, hidden.dtype)
        for block in self._blocks:
            if self._checkpointing:
                hidden = checkpoint(
                    *(block, hidden, rotation, layout),
                    use_reentrant=False,
                    preserve_rng_state=False,  # nothing here is random
                )
            else:
                hidden = block(hidden, rotation, layout)
        return self._last(hidden)


def _block(layer: Any, *, folds: bool) -> DecoderLayer:
    attention, mlp = layer.self_attn, layer.mlp
    q, k, v, output = (
        _adapted(getattr(attention, f"{name}_proj"), folds=folds) for name in ("q", "k", "v", "o")
    )
    gate, up, down = (
        _adapted(getattr(mlp, f"{name}_proj"), folds=folds) for name in ("gate", "up", "down")
    )
    size = attention.head_dim
    return DecoderLayer(
        before_attention=_norm(layer.input_layernorm),
        queries_keys_values=(q, k, v),
        of_queries=_norm(attention.q_norm) if hasattr(attention, "q_norm") else None,
        of_keys=_norm(attention.k_norm) if hasattr(attention, "k_norm") else None,
        output=output,
        before_mlp=_norm(layer.post_attention_layernorm),
        mlp=AdaptedMlp(gate, up, down),
        heads=Heads(rows_of(q.weight) // size, rows_of(k.weight) // size, size),
    )


def _adapted(linear: Any, *, folds: bool) -> Adapted:
    base = linear.get_base_layer()
    a, b = linear.lora_A[ADAPTER].weight, linear.lora_B[ADAPTER].weight
    scale: float = linear.scaling[ADAPTER]
    weight = weight_of(base)
    if folds:
        weight = torch.addmm(dense(weight), b.detach(), a.detach(), alpha=scale)
    bias = None if base.bias is None else base.bias.detach()
    return Adapted(weight, bias, a, b, scale, folded=folds)


def _norm(module: Any) -> Norm:
    return Norm(module.weight.detach(), module.variance_epsilon)
