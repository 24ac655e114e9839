"""What the processor can do, as far as the system says it; imports no torch."""

from pathlib import Path
from typing import Final

_BF16_FLAGS: Final = frozenset({"amx_bf16", "avx512_bf16"})


def multiplies_bf16(flags: frozenset[str]) -> bool:
    """Whether a processor with ``flags`` multiplies bfloat16 natively; others emulate it."""
    return bool(flags & _BF16_FLAGS)


def processor_flags() -> frozenset[str]:
    """What Linux says that the processor can do; empty elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    flags = next((line for line in lines if line.startswith("flags")), "")
    return frozenset(flags.partition(":")[2].split())
