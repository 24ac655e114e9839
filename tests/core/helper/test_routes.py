"""Every request finds its service."""

import subprocess
import sys
from inspect import signature
from typing import get_args

from core.api.protocol import AnyRequest
from core.api.requests import Cancel
from core.helper.routes import ROUTES

HEAVY = ("torch", "transformers", "peft", "reasoning_gym", "numpy", "aiohttp", "zeroconf", "tuf")


def test_every_request_has_an_service() -> None:
    """What the window may ask for is known to the helper; ending a service is its own business."""
    assert set(ROUTES) == set(get_args(AnyRequest)) - {Cancel}


def test_every_service_takes_the_request_that_it_is_given() -> None:
    """A slip in the table cannot hand a request to the service of another."""
    taken = {
        request: next(iter(signature(service, eval_str=True).parameters.values())).annotation
        for request, service in ROUTES.items()
    }
    assert [request for request in taken if taken[request] is not request] == []


def test_the_helper_is_ready_before_anything_heavy_is_loaded() -> None:
    """Looking up what is cheap waits for the import of neither a tensor library nor a network."""
    code = f"import sys, core.helper.main; print([n for n in {HEAVY} if n in sys.modules])"
    done = subprocess.run(  # noqa: S603 - this interpreter on a text of our own
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
