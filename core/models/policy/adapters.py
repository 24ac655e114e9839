"""peft without bitsandbytes, which it imports wherever that is installed, then or for a model.

Its layers for quantised weights are of no use here (``core.models.policy.four_bit``), and cost a
second of processor time and 50 MB in every program that loads a model. So it is not shown the
library; whoever quantises weights imports that afterwards.
"""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import ModuleType
from typing import Final

from transformers import PreTrainedModel


@contextmanager
def hidden(name: str) -> Iterator[None]:
    """The module cannot be imported while the context lasts."""
    modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]  # None: not there
    before = modules.get(name)
    modules[name] = None
    try:
        yield
    finally:
        if before is None:
            del modules[name]
        else:
            modules[name] = before


def _hidden_unless_imported(name: str) -> AbstractContextManager[None]:
    return nullcontext() if name in sys.modules else hidden(name)


with _hidden_unless_imported("bitsandbytes"):
    from peft import LoraConfig, PeftModel, get_peft_model
    from peft.tuners.lora import LoraLayer

__all__ = ["ADAPTER", "LoraConfig", "LoraLayer", "PeftModel", "add_adapter"]

ADAPTER: Final = "default"
"""peft's name of the only adapter."""


def add_adapter(network: PreTrainedModel, config: LoraConfig) -> PeftModel:
    """Put a new adapter into ``network``."""
    with _hidden_unless_imported("bitsandbytes"):
        return get_peft_model(network, config)
