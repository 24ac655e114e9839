"""The policy's weights as the lean forward pass wants them: few large products for each layer.

Small models are all overhead, so their adapter is folded into merged copies, norms included. A
large model is all weights: those stay the policy's own, uncopied, and the adapter goes beside them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from core.models.policy.adapters import ADAPTER, LoraLayer
from core.models.policy.four_bit import Weight, dense, rows_of, weight_of
from core.models.policy.policy import BASE_VERSION, Policy


class Projection(Protocol):
    """One or more linear layers with the same input, side by side."""

    def __call__(self, x: Tensor) -> Tensor:
        """[row, in] -> [row, out], in whatever layout suits."""

    def onto(self, residual: Tensor, x: Tensor) -> Tensor:
        """``residual`` [row, out] plus the projection of ``x`` [row, in]; may be done in place."""


@dataclass(frozen=True, slots=True)
class MergedProjection:
    """A copy of the weights with everything folded in, laid out for the product."""

    weight: Tensor  # [in, out], contiguous: a fifth faster than its transpose
    bias: Tensor | None  # [out]

    def __call__(self, x: Tensor) -> Tensor:
        """[row, in] -> [row, out]."""
        if self.bias is None:
            return torch.mm(x, self.weight)
        return torch.addmm(self.bias, x, self.weight)

    def onto(self, residual: Tensor, x: Tensor) -> Tensor:
        """Add the projection of ``x`` to ``residual`` in place."""
        residual.addmm_(x, self.weight)
        return residual if self.bias is None else residual.add_(self.bias)


@dataclass(frozen=True, slots=True)
class UnmergedProjection:
    """The policy's own weights, and what its adapter adds to them.

    The product is turned around: weights times the transposed rows. The long matrix is then read
    as it lies in memory; the other way round half precision on a processor rearranges it in every
    call, which takes as long as the product itself.
    """

    weights: tuple[Weight, ...]  # each [out of this layer, in], shared with the policy
    bias: Tensor | None  # [out, 1], of all layers
    down: Tensor | None  # [rank x layers, in]; None without an adapter
    up: tuple[Tensor, ...]  # each [out of this layer, rank], scaled

    def __call__(self, x: Tensor) -> Tensor:
        """[row, in] -> [row, out], the view of an [out, row]."""
        columns = x.t()
        rows = [rows_of(weight) for weight in self.weights]
        out = x.new_empty(sum(rows), len(x))
        parts = out.split(rows)
        for weight, part in zip(self.weights, parts, strict=True):
            torch.mm(dense(weight), columns, out=part)
        if self.down is not None:
            seen = torch.mm(self.down, columns).chunk(len(parts))
            for part, up, low in zip(parts, self.up, seen, strict=True):
                part.addmm_(up, low)
        if self.bias is not None:
            out += self.bias
        return out.t()

    def onto(self, residual: Tensor, x: Tensor) -> Tensor:
        """The sum of ``residual`` and the projection of ``x``."""
        return residual + self(x)


@dataclass(frozen=True, slots=True)
class LeanLayer:
    """One block. A norm that is None is folded into what follows it."""

    attention_norm: Tensor | None  # [hidden]
    qkv: Projection  # hidden -> query, key and value heads, one after another
    head_norm: Tensor | None  # [query and key heads, head_dim]; None where heads have no norm
    output: Projection
    mlp_norm: Tensor | None  # [hidden]
    gate_up: Projection
    down: Projection


@dataclass(frozen=True, slots=True)
class LeanShape:
    """Numbers of heads and constants of the forward pass."""

    heads: int
    kv_heads: int
    head_dim: int
    epsilon: float  # of every norm
    activation: Callable[[Tensor], Tensor]


@dataclass(frozen=True, slots=True)
class LeanWeights:
    """A whole model, frozen at one version of the policy."""

    shape: LeanShape
    embedding: Tensor  # [vocabulary, hidden], shared with the policy
    layers: tuple[LeanLayer, ...]
    norm: Tensor | None  # [hidden]
    head: Projection
    cosine: Tensor  # float32 [position, head_dim], of the rotation of queries and keys
    sine: Tensor  # the same, negative in the first half


Project = Callable[[Sequence[nn.Module], Tensor | None], Projection]
"""(layers with the same input, the norm before them) -> their projection."""


def merged_weights(policy: Policy) -> LeanWeights:
    """Fold adapter and norms into merged copies; costs the memory of a second model."""
    learnt = policy.version != BASE_VERSION

    def project(layers: Sequence[nn.Module], norm: Tensor | None) -> MergedProjection:
        weight = torch.cat([_merged(layer, learnt=learnt) for layer in layers])
        if norm is not None:
            weight = weight * norm
        return MergedProjection(weight.t().contiguous(), _bias(layers))

    return _assemble(policy, project, folds_norms=True)


def side_weights(policy: Policy) -> LeanWeights:
    """Leave the weights where they are and put the adapter beside them in the same precision."""
    learnt = policy.version != BASE_VERSION

    def project(layers: Sequence[nn.Module], norm: Tensor | None) -> UnmergedProjection:
        del norm
        bias = _bias(layers)
        adapters = [layer for layer in layers if isinstance(layer, LoraLayer)] if learnt else []
        downs = [_adapter(layer)[0] for layer in adapters]
        return UnmergedProjection(
            weights=tuple(weight_of(_base(layer)) for layer in layers),
            bias=None if bias is None else bias[:, None],
            down=torch.cat(downs).to(policy.dtype) if downs else None,
            up=tuple(_adapter(layer)[1].to(policy.dtype) for layer in adapters),
        )

    return _assemble(policy, project, folds_norms=False)


def _assemble(policy: Policy, project: Project, *, folds_norms: bool) -> LeanWeights:
    with torch.no_grad():
        model: Any = policy.causal_lm.model  # three classes of transformers, alike by shape only
        config: Any = policy.causal_lm.config
        first = model.layers[0].self_attn
        shape = LeanShape(
            heads=config.num_attention_heads,
            kv_heads=config.num_key_value_heads,
            head_dim=first.head_dim,
            epsilon=config.rms_norm_eps,
            activation=model.layers[0].mlp.act_fn,
        )
        cosine, sine = _rotation(policy)
        return LeanWeights(
            shape=shape,
            embedding=model.embed_tokens.weight.detach(),
            layers=tuple(
                _layer(block, shape, project, folds_norms=folds_norms) for block in model.layers
            ),
            norm=None if folds_norms else model.norm.weight.detach(),
            head=project([policy.causal_lm.lm_head], model.norm.weight),
            cosine=cosine,
            sine=sine,
        )


def _layer(block: nn.Module, shape: LeanShape, project: Project, *, folds_norms: bool) -> LeanLayer:
    attention: Any = block.self_attn  # one class for each family
    mlp: Any = block.mlp
    norms: tuple[Any, Any] = block.input_layernorm, block.post_attention_layernorm
    before, between = (norm.weight.detach() for norm in norms)
    head_norm = None
    if hasattr(attention, "q_norm"):
        queries = attention.q_norm.weight.expand(shape.heads, -1)
        head_norm = torch.cat([queries, attention.k_norm.weight.expand(shape.kv_heads, -1)])
    return LeanLayer(
        attention_norm=None if folds_norms else before,
        qkv=project([attention.q_proj, attention.k_proj, attention.v_proj], before),
        head_norm=head_norm,
        output=project([attention.o_proj], None),
        mlp_norm=None if folds_norms else between,
        gate_up=project([mlp.gate_proj, mlp.up_proj], between),
        down=project([mlp.down_proj], None),
    )


def _rotation(policy: Policy) -> tuple[Tensor, Tensor]:
    """Cosine and signed sine for every position, as the model's own module gives them."""
    positions = torch.arange(policy.spec.context, device=policy.device)[None]
    like = torch.empty(0, device=policy.device)  # says device and float32
    cosine, sine = policy.causal_lm.model.rotary_emb(like, positions)
    signed = sine[0].clone()
    signed[:, : signed.shape[1] // 2].neg_()
    return cosine[0].contiguous(), signed


def _merged(layer: nn.Module, *, learnt: bool) -> Tensor:
    weight = _base(layer).weight.detach()
    if not learnt or not isinstance(layer, LoraLayer):
        return weight
    down, up = _adapter(layer)
    return weight + (up @ down).to(weight.dtype)


def _adapter(layer: LoraLayer) -> tuple[Tensor, Tensor]:
    """The factors of an adapter, float32: [rank, in], then the scaled [out, rank]."""
    down: Tensor = layer.lora_A[ADAPTER].weight
    up: Tensor = layer.lora_B[ADAPTER].weight * layer.scaling[ADAPTER]
    return down.detach(), up.detach()


def _bias(layers: Sequence[nn.Module]) -> Tensor | None:
    biases = [_base(layer).bias for layer in layers]
    return None if biases[0] is None else torch.cat([bias.detach() for bias in biases])


def _base(layer: nn.Module) -> nn.Linear:
    linear = layer.get_base_layer() if isinstance(layer, LoraLayer) else layer
    if not isinstance(linear, nn.Linear):
        raise TypeError(f"{type(linear).__name__} is no linear layer")
    return linear
