"""All on which the choice of a sampler rests, as one short string."""

import hashlib
import importlib.metadata
import platform
from pathlib import Path
from typing import Final

import msgspec
import torch

from core.models.policy.policy import Policy

TRIAL_FORMAT: Final = 2
"""Raised when the samplers here, or the way they are measured, have changed."""


def situation(policy: Policy, threads: int) -> str:
    """Hex digest that changes with hardware, versions, threads and the weights of ``policy``."""
    facts = [
        TRIAL_FORMAT,
        policy.fingerprint,
        threads,
        platform.machine(),
        processor_name(),
        _device_name(policy.device),
        str(torch.__version__),  # a class of its own otherwise
        _version("llama-cpp-python"),
    ]
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:16]


def processor_name(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """What the processor calls itself; may be empty."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""
