"""A model's weights as its files hold them, one at a time, with an adapter folded in if asked.

What is exported is made from the files and not from the loaded policy: those hold the weights as
they were published, whatever precision this machine computes in, and no more than one tensor has
to be in memory.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from safetensors import safe_open
from torch import Tensor

from core.errors import ModelError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec
from core.models.catalog.weight_headers import HEAD, RECOMPUTED

_WEIGHT: Final = ".weight"


@dataclass(frozen=True, slots=True)
class Adapter:
    """A LoRA adapter apart from the network that it was trained in."""

    tensors: Mapping[str, Tensor]  # by the names of ``Policy.adapter``
    rank: int
    alpha: float

    @property
    def scale(self) -> float:
        """The factor of the product of both halves, alpha / rank."""
        return self.alpha / self.rank

    def halves(self, weight: str) -> tuple[Tensor, Tensor] | None:
        """A [rank, in] and B [out, rank] for the weight of that name; None where it has none."""
        layer = weight.removesuffix(_WEIGHT)
        a = self.tensors.get(f"{layer}.lora_A.default.weight")
        b = self.tensors.get(f"{layer}.lora_B.default.weight")
        return None if a is None or b is None else (a.detach().cpu(), b.detach().cpu())

    def adapted(self) -> list[str]:
        """The names of the weights that it changes, in the adapter's own order."""
        ending = ".lora_A.default.weight"
        return [n.removesuffix(ending) + _WEIGHT for n in self.tensors if n.endswith(ending)]


class WeightFiles:
    """The weights of one model, in one safetensors file or in shards."""

    def __init__(self, spec: ModelSpec, adapter: Adapter | None = None) -> None:
        """Read the headers of the files.

        Raises:
            ModelError: there are none, or one is damaged.
        """
        self.spec = spec
        self._adapter = adapter
        self._places: dict[str, Path] = {}
        self._shapes: dict[str, tuple[int, ...]] = {}
        for path in sorted(spec.folder.glob("*.safetensors")):
            with self._explained(), safe_open(path, framework="pt") as file:
                for name in file.keys():  # noqa: SIM118 - no mapping
                    self._places[name] = path
                    self._shapes[name] = tuple(file.get_slice(name).get_shape())
        if not self._places:
            raise _damaged(spec)

    def names(self, *, tied: bool) -> list[str]:
        """All weights in the files' order; without the head where it is ``tied`` to another.

        Also without what every reader computes anew.
        """
        needed = (name for name in self._places if not name.endswith(RECOMPUTED))
        return [name for name in needed if not (tied and name == HEAD)]

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of the weight ``name``."""
        return self._shapes[name]

    def dtype(self, name: str) -> torch.dtype:
        """The precision in which the files hold the weight ``name``."""
        return self._open(name)[:0].dtype

    def read(self, name: str) -> Tensor:
        """The weight ``name`` as it is in the files, or in float32 where the adapter changes it.

        Raises:
            ModelError: the file cannot be read.
        """
        weight = self._open(name)
        halves = self._adapter.halves(name) if self._adapter else None
        if self._adapter is None or halves is None:
            return weight
        a, b = halves
        return torch.addmm(weight.float(), b, a, alpha=self._adapter.scale)

    def _open(self, name: str) -> Tensor:
        with self._explained(), safe_open(self._places[name], framework="pt") as file:
            tensor: Tensor = file.get_tensor(name)
        return tensor

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # the library raises whatever comes to it on a damaged file
            raise _damaged(self.spec) from error


def _damaged(spec: ModelSpec) -> ModelError:
    return ModelError(
        translatable(
            "The weights of the model {} in {} are missing or damaged. Install it again.",
            spec.title,
            spec.folder,
        )
    )
