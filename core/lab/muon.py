"""Muon (Jordan et al., 2024, kellerjordan.github.io/posts/muon) without rounding.

PyTorch's own computes its steps in bfloat16, one matrix after another. A processor that has no
instructions for that emulates it, which took two fifths of a starter's training and more; one that
has them would save a thirtieth of a step.
"""

from collections import defaultdict

import torch
from torch import Tensor
from torch.nn import Parameter
from torch.optim import Muon


class Float32Muon(Muon):
    """What ``torch.optim.Muon`` does and keeps, in the precision of the parameters."""

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # noqa: ARG002 - Optimizer's
        """Move every matrix that has a gradient."""
        for group in self.param_groups:
            # Those of one shape go together: matrices are small, and a call to each would cost.
            alike = defaultdict[torch.Size, list[tuple[Parameter, Tensor]]](list)
            for parameter in group["params"]:
                if (gradient := parameter.grad) is not None:
                    momentum = self._momentum(parameter, gradient, group["momentum"])
                    alike[parameter.shape].append((parameter, momentum))
            for (rows, columns), pairs in alike.items():
                parameters, momenta = zip(*pairs, strict=True)
                how = group["ns_coefficients"], group["ns_steps"]
                steps = orthogonal(torch.stack(momenta), *how)
                rate = group["lr"] * max(1.0, rows / columns) ** 0.5
                for parameter, step in zip(parameters, steps, strict=True):
                    parameter.mul_(1 - group["lr"] * group["weight_decay"])
                    parameter.sub_(step * rate)

    def _momentum(self, parameter: Parameter, gradient: Tensor, share: float) -> Tensor:
        """Nesterov's, which looks ahead; the one that is kept takes the gradient in."""
        if not (state := self.state[parameter]):
            state["momentum_buffer"] = torch.zeros_like(gradient)
        kept: Tensor = state["momentum_buffer"]
        kept.lerp_(gradient, 1 - share)
        return gradient.lerp(kept, share)


def orthogonal(matrices: Tensor, coefficients: tuple[float, float, float], steps: int) -> Tensor:
    """For each of ``matrices`` [n, row, column] the nearest whose singular values are all one.

    By so many ``steps`` of Newton and Schulz with a quintic, whose ``coefficients`` are chosen for
    few of them: after five, singular values lie between 0.7 and 1.2 or so, which is near enough.
    """
    a, b, c = coefficients
    is_tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if is_tall else matrices
    x = x / x.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7)
    for _ in range(steps):
        gram = x @ x.mT
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.mT if is_tall else x
