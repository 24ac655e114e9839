"""The clipped surrogate of SAPO (arXiv 2509.08721) on packed groups.

1. Old log-probabilities are the policy's own, detached: one update is taken per batch, so the
   ratio is 1 and the clip idle, for own completions and for those of others alike. SAPO treats
   both alike too; what peers' samplers thought of their text is not known here.
2. The sum over tokens is divided by all completion tokens of the *whole* update, not of each
   completion or micro-batch. Every token weighs the same, so a long wrong answer is not punished
   less per token than a short one (the bias of GRPO's 1/length), and splitting the update into
   micro-batches changes nothing. Where a recipe asks for it, it is divided by the tokens of *all*
   own tries of the round instead, of flat groups too, whose gradient is zero: that is the mean over
   what the policy drew, which the policy gradient is. Divided by what teaches alone, a round of
   which one group in eight teaches would move the policy as much as one of which all do: the less
   is left to learn, the more of a step would be noise.
3. There is no KL term, as in the paper.
4. Where a recipe asks for it, a token is weighted by the policy's probability of it over that of
   the sampler: the two compute in different precisions, so the tokens are not quite the policy's
   own. The weight is truncated, as in IMPALA (arXiv 1802.01561), and not differentiated.
5. Where a recipe asks for it, a token of others is weighted by p / (p + gamma), p being the
   policy's probability of it, for successes and failures alike. The function is LUFFY's (arXiv
   2504.14945), the end another: there it takes the place of the ratio and its derivative favours
   unlikely tokens; here it is a fixed weight. What the policy would hardly say is hardly taught
   and hardly forbidden by others. Tokens of others do not count in the second denominator of 2, or
   whoever writes at length would make all that is learnt from oneself small. Where all groups are
   of others, each counts as many as the lower median of them, if that is more, for the same reason.
6. Where a recipe asks for it, a completion is one term and not each of its tokens: its ratio, its
   weight and p are the geometric means of theirs (GSPO, arXiv 2507.18071, equations 5 to 7), and
   the sum is divided by the number of completions.
"""

from collections.abc import Sequence
from statistics import median_low
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx

from core.models.memory.fit import chunk_tokens
from core.training.batch import PackedBatch, TrainingGroup
from core.training.body import TrainingBody


def selective_logprobs(hidden: Tensor, head: Tensor, targets: Tensor) -> Tensor:
    """Log-probability of each target after its hidden state, at temperature 1.

    Args:
        hidden: [token, hidden], in the precision of ``head``.
        head: [vocabulary, hidden], frozen: it gets no gradient.
        targets: [token], ids.

    Returns:
        float32 [token]; products are taken in the precision of ``head``, sums in float32.
    """
    logprobs: Tensor = _SelectiveLogprobs.apply(hidden, head, targets)  # type: ignore[no-untyped-call]  # ships unannotated
    return logprobs


class _SelectiveLogprobs(torch.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, hidden: Tensor, head: Tensor, targets: Tensor) -> Tensor:
        learns = ctx.needs_input_grad[0]  # type: ignore[attr-defined]  # set by autograd
        logprobs = hidden.new_empty(len(hidden), dtype=torch.float32)
        slopes = torch.empty_like(hidden) if learns else None
        rows = chunk_tokens(len(head))
        # One pair of buffers for all chunks: fresh memory of this size costs more than the sums.
        scores = hidden.new_empty(min(rows, len(hidden)), len(head))
        exact = scores if scores.dtype == torch.float32 else scores.float()
        for start in range(0, len(hidden), rows):
            part = slice(start, start + rows)
            wanted = targets[part, None]
            chunk, terms = scores[: len(wanted)], exact[: len(wanted)]
            torch.mm(hidden[part], head.t(), out=chunk)
            best = chunk.amax(1, keepdim=True).float()
            score = chunk.gather(1, wanted).float() - best
            torch.sub(chunk, best, out=terms).exp_()
            total = terms.sum(1, keepdim=True)
            logprobs[part] = (score - total.log()).squeeze(1)
            if slopes is not None:
                terms.scatter_(1, wanted, 0)
                others = torch.mm(terms if exact is scores else chunk.copy_(terms), head)
                chance = score.exp() / total
                slopes[part] = head[targets[part]] * (1 - chance) - others / total
        ctx.save_for_backward(*([] if slopes is None else [slopes]))
        return logprobs

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:  # noqa: ANN401 - autograd's own
        (slopes,) = ctx.saved_tensors
        (gradient,) = gradients
        return slopes * gradient[:, None].to(slopes.dtype), None, None


CLIP_LOW = 0.2
CLIP_HIGH = 0.28
"""The upper bound is raised as in DAPO (clip-higher, arXiv 2503.14476)."""
MOST_WEIGHT = 2.0
"""The truncation C: above it a weight adds more noise than it takes away bias."""


def token_logprobs(body: TrainingBody, batch: PackedBatch) -> Tensor:
    """Log-probability of every trained token under the policy: float32 [token], with gradient.

    Scores over the vocabulary are computed only where a completion token is predicted.
    """
    hidden = body.hidden_states(batch)
    return selective_logprobs(hidden[batch.sources], body.head, batch.targets)


def importance_weights(logprobs: Tensor, sampler_logprobs: Tensor) -> Tensor:
    """min(policy / sampler, C) of each token, 1 where the latter is NaN; all are [token]."""
    ratio = (logprobs.detach() - sampler_logprobs).exp().clamp(max=MOST_WEIGHT)
    return torch.where(sampler_logprobs.isnan(), 1.0, ratio)


def shaping_weights(logprobs: Tensor, shaping: Tensor) -> Tensor:
    """Weights p / (p + gamma), exactly 1 where gamma is 0; all are [token], without gradient."""
    p = logprobs.detach().exp()
    return torch.where(shaping > 0, p / (p + shaping), 1.0)


def clipped_surrogate(logprobs: Tensor, old_logprobs: Tensor, advantages: Tensor) -> Tensor:
    """-min(ratio A, clip(ratio, 1 - 0.2, 1 + 0.28) A) of each token; all are [token]."""
    ratio = (logprobs - old_logprobs).exp()
    clipped = ratio.clamp(1 - CLIP_LOW, 1 + CLIP_HIGH)
    return -torch.minimum(ratio * advantages, clipped * advantages)


def counted_terms(groups: Sequence[TrainingGroup], tried: int | None = None) -> int:
    """Terms that the loss of an update on ``groups`` is divided by; see 2, 5 and 6.

    ``tried``: terms of all own tries of the round; None: those of ``groups`` count alone.
    """
    if tried is None:
        return sum(group.terms for group in groups)
    own = sum(group.terms for group in groups if not group.of_others)
    return max(tried, own or len(groups) * median_low(group.terms for group in groups))


def batch_loss(body: TrainingBody, batch: PackedBatch, update_terms: int) -> Tensor:
    """This batch's share of the loss of an update that counts ``update_terms``: a scalar."""
    values = [token_logprobs(body, batch), batch.sampler_logprobs, batch.advantages, batch.shaping]
    if batch.terms is not None:
        values = list(map(batch.terms.means, values))
    logprobs, sampler_logprobs, advantages, shaping = values
    surrogate = clipped_surrogate(logprobs, logprobs.detach(), advantages)
    weights = importance_weights(logprobs, sampler_logprobs) * shaping_weights(logprobs, shaping)
    return (surrogate * weights).sum() / update_terms
