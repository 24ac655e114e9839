"""Rotary position embedding: the three variants that are supported.

Samplers and update compute the rotations once, so only those are accepted that are the same for
texts of every length. A configuration may describe them in the older words or in the newer ones of
transformers; what is not understood to the last word is refused, since it would compute another
network.
"""

from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta

from core.i18n import translatable

Kind = Literal["default", "linear", "llama3"]
Tokens = Annotated[int, Meta(ge=1, le=100_000_000)]

_Factor = Annotated[float, Meta(gt=0, le=1e6)]
_Theta = Annotated[float, Meta(ge=1, le=1e12)]
_KINDS: Final = get_args(Kind)


class RopeConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way to rotate, in the words of transformers."""

    rope_type: Kind = "default"
    rope_theta: _Theta = 10_000.0
    factor: _Factor | None = None
    low_freq_factor: _Factor | None = None
    high_freq_factor: _Factor | None = None
    original_max_position_embeddings: Tokens | None = None

    def is_whole(self) -> bool:
        """Whether all is there that its type needs."""
        if self.rope_type == "default":
            return True
        if self.factor is None or self.rope_type == "linear":
            return self.factor is not None
        low, high = self.low_freq_factor, self.high_freq_factor
        return low is not None and high is not None and low < high

    def described(self, context: int) -> dict[str, str | float | int]:
        """The ``rope_parameters`` of transformers for a model of that ``context``."""
        plain: dict[str, str | float | int] = {
            "rope_type": self.rope_type,
            "rope_theta": self.rope_theta,
        }
        if self.factor is None or self.rope_type == "default":
            return plain
        plain["factor"] = self.factor
        if self.rope_type == "linear" or not (self.low_freq_factor and self.high_freq_factor):
            return plain
        return plain | {
            "low_freq_factor": self.low_freq_factor,
            "high_freq_factor": self.high_freq_factor,
            "original_max_position_embeddings": self.original_max_position_embeddings or context,
        }


class RotationFields(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a ``config.json`` that is about rotations."""

    rope_theta: _Theta | None = None
    rope_scaling: dict[str, object] | None = None  # the older name of the next
    rope_parameters: dict[str, object] | None = None
    original_max_position_embeddings: Tokens | None = None
    partial_rotary_factor: float | None = None


def rotation_obstacle(fields: RotationFields) -> str | None:
    """Say what is not computed here; None where nothing stands in the way."""
    scaling = fields.rope_scaling or fields.rope_parameters or {}
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind not in _KINDS or fields.partial_rotary_factor not in (None, 1.0):
        known = ", ".join(_KINDS)
        return translatable("it counts positions in another way than those supported: {}", known)
    try:
        is_whole = read_rotation(fields).is_whole()
    except msgspec.ValidationError:
        is_whole = False
    return (
        None if is_whole else translatable("its way of counting positions is not described in full")
    )


def read_rotation(fields: RotationFields) -> RopeConfig:
    """Understand the older words and the newer ones.

    Raises:
        msgspec.ValidationError: they describe no way that is known here.
    """
    given = dict(fields.rope_scaling or fields.rope_parameters or {})
    older = given.pop("type", "default")
    given.setdefault("rope_type", older)
    if fields.rope_theta is not None:
        given.setdefault("rope_theta", fields.rope_theta)
    if fields.original_max_position_embeddings is not None:
        given.setdefault(
            "original_max_position_embeddings", fields.original_max_position_embeddings
        )
    return msgspec.convert(given, RopeConfig)
