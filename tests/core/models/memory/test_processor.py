"""What the processor can do."""

import subprocess
import sys

import pytest

from core.models.memory.processor import multiplies_bf16, processor_flags


@pytest.mark.parametrize(
    ("flags", "native"),
    [
        ({"sse2", "avx2"}, False),
        ({"avx512f", "avx512_bf16"}, True),
        ({"amx_tile", "amx_bf16"}, True),
        (set(), False),
    ],
)
def test_half_precision_only_where_the_processor_multiplies_it(
    flags: set[str], *, native: bool
) -> None:
    """Elsewhere bfloat16 is emulated, and slower than float32."""
    assert multiplies_bf16(frozenset(flags)) is native


def test_flags_are_words() -> None:
    """None where the system does not tell."""
    assert all(flag.strip() == flag != "" for flag in processor_flags())


def test_asking_loads_no_torch() -> None:
    """Listing models is quick."""
    code = (
        "import sys; from core.models.memory import processor; processor.processor_flags();"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.call([sys.executable, "-c", code]) == 0  # noqa: S603 - lines above
