"""What a choice of sampler depends on: the machine, the versions, the threads and the weights."""

import hashlib
import importlib.metadata
import platform
from typing import Final

import msgspec
import torch

from core.models.memory.machine import processor_name
from core.models.policy.policy import Policy
from core.sampling.llama_library import llama_available, llama_offloads


def can_compete(device: torch.device) -> bool:
    """Whether llama.cpp is worth a trial against torch there: NVIDIA's cards are torch's."""
    return llama_available() and (device.type == "cpu" or offloads(device))


def offloads(device: torch.device) -> bool:
    """Whether llama.cpp would compute on the graphics card, too."""
    return device.type == "mps" and llama_offloads()


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
        device_name(policy.device) + ("+llama" if offloads(policy.device) else ""),
        str(torch.__version__),  # a class of its own otherwise
        _version("llama-cpp-python"),
    ]
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:16]


def device_name(device: torch.device) -> str:
    """What its maker calls a card; others go by their kind."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""
