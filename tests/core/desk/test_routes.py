"""Every request finds its errand."""

import subprocess
import sys
from typing import get_args

from core.desk.routes import ROUTES
from core.engine.desk.base import Cancel
from core.engine.desk.unions import AnyRequest

HEAVY = ("torch", "transformers", "peft", "reasoning_gym", "numpy")


def test_every_request_has_an_errand() -> None:
    """What the window may ask for is known to the desk; ending an errand is its own business."""
    assert set(ROUTES) == set(get_args(AnyRequest)) - {Cancel}


def test_the_desk_is_ready_before_anything_heavy_is_loaded() -> None:
    """Looking up what is cheap does not wait for the import of a tensor library."""
    code = f"import sys, core.desk.main; print([n for n in {HEAVY} if n in sys.modules])"
    done = subprocess.run(  # noqa: S603 - this interpreter on a text of our own
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
