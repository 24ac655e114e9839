"""Log-probabilities of chosen tokens, without ever holding all scores over the vocabulary.

One token's scores over a vocabulary of 151,936 take 600 kB, an update's two gigabytes. Here they
exist for a chunk of tokens at a time, and only in the forward pass: the gradient of log p(t) with
respect to the hidden state h is

    W[t] - sum over v of p(v) W[v]  =  (1 - p(t)) W[t] - sum over v != t of p(v) W[v],

which does not depend on what the loss makes of log p(t). So it is computed while the chunk's
scores are there, kept as one hidden-sized row a token, and scaled in the backward pass: two large
products a token, as without chunks, and no second look at the vocabulary. The right-hand form
keeps its precision where p(t) is close to 1, which half precision would round away in the left.
"""

from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd.function import FunctionCtx

CHUNK_BYTES: Final = 64 * 2**20
"""The scores of one chunk in float32."""
CHUNK_TOKENS: Final = 256
"""More at once are no faster; with a small vocabulary fewer of them stay in the cache."""


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


def chunk_tokens(vocabulary: int) -> int:
    """How many tokens' scores are held at once."""
    return max(1, min(CHUNK_TOKENS, CHUNK_BYTES // (4 * vocabulary)))
