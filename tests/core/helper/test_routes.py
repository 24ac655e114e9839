"""Every request finds its service."""

import subprocess
import sys
from typing import get_args

from core.api.protocol import AnyRequest
from core.api.requests import Cancel
from core.helper.lazy import LazyService
from core.helper.routes import ROUTES

HEAVY = ("torch", "transformers", "peft", "reasoning_gym", "numpy", "aiohttp", "zeroconf")
QUICK = (
    "ShowSwarm",
    "ListModels",
    "ShowContribution",
    "ShowHistory",
    "ShowPractice",
    "ShowAutostart",
)


def test_every_request_has_an_service() -> None:
    """What the window may ask for is known to the helper; ending a service is its own business."""
    assert set(ROUTES) == set(get_args(AnyRequest)) - {Cancel}


def test_every_service_can_be_loaded() -> None:
    """Each name in the table is that of something to be called."""
    for service in ROUTES.values():
        assert isinstance(service, LazyService)
        assert callable(service.load())


def test_the_helper_is_ready_before_anything_heavy_is_loaded() -> None:
    """Looking up what is cheap waits for the import of neither a tensor library nor a network."""
    code = f"""
import sys, core.helper.main
for request, errand in core.helper.main.ROUTES.items():
    if request.__name__ in {QUICK}:
        errand.load()
print([n for n in {HEAVY} if n in sys.modules])
"""
    done = subprocess.run(  # noqa: S603 - this interpreter on a text of our own
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
