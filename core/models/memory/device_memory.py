"""The free memory where a model is about to be loaded, asked of torch itself."""

import torch

from core.models.memory.compute import Compute
from core.models.memory.fit import Machine
from core.models.memory.machine import free_memory


def machine_of(compute: Compute) -> Machine:
    """What ``compute`` offers now; lists of models ask ``core.models.memory.machine`` instead."""
    width = compute.dtype.itemsize
    if compute.device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(compute.device)
        return Machine("cuda", free, width)
    if compute.device.type == "mps":
        return Machine("mps", free_memory(), width)  # it shares the memory
    return Machine("cpu", free_memory(), width)
