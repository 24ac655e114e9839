"""What ``waggle`` in the frozen app may be, and what it does before it is anything.

``core.children`` starts our own modules as processes: ``waggle --part MODULE ARGUMENT ...``.
"""

import os
import sys
from importlib import import_module
from typing import Final

from core.children import PART

PARTS: Final = (
    "core.cli.main",
    "core.bench.racer",
    "core.bench.round_probe",
    "core.helper.main",
    "core.services.hub_child",
    "core.services.tables",
    "core.lab.learning.worker",
    "core.datasets.parquet_process",
    "core.models.policy.template_process",
    "core.models.catalog.tokenizer_trial",
    "core.sampling.llama_trial",
    "core.serve",
    "core.tasks.judge_process",
    "core.updates.switch",
)
"""Every module that is started by name, and no other: an option is no way to run any module."""

USAGE_ERROR: Final = 2
_PATH: Final = "LD_LIBRARY_PATH"


def forget_library_path() -> None:
    """Take back what PyInstaller's loader put into the environment to find our own libraries.

    Those are found by now; a browser or file manager that we start must not look among them.
    """
    before = os.environ.pop(f"{_PATH}_ORIG", None)
    os.environ.pop(_PATH, None)
    if before:
        os.environ[_PATH] = before


def run(arguments: list[str]) -> int:
    """Be the part that ``arguments`` ask for, else the command line; returns the exit code."""
    part = "core.cli.main"
    if arguments[:1] == [PART]:
        part = arguments[1] if len(arguments) > 1 else ""
        if part not in PARTS:
            sys.stderr.write(f"waggle: {part!r} is no part of Waggle.\n")
            return USAGE_ERROR
        sys.argv[1:] = arguments[2:]  # where each part looks for its own
    code: int = import_module(part).main()
    return code
