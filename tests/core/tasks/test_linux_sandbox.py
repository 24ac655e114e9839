"""The system call filter, run here by a small interpreter of its instructions."""

import errno
import struct

import pytest

from core.tasks.linux_sandbox import (
    JUMP_IF_EQUAL,
    LOAD_WORD,
    MACHINES,
    RETURN,
    SECCOMP_RET_ALLOW,
    SECCOMP_RET_ERRNO,
    SeccompArch,
    filter_program,
)

REFUSED = SECCOMP_RET_ERRNO | errno.EPERM
X32 = 0x4000_0000
DANGEROUS = {
    "x86_64": {
        "open": 2, "socket": 41, "connect": 42, "clone": 56, "fork": 57, "vfork": 58, "execve": 59,
        "kill": 62, "unlink": 87, "ptrace": 101, "prctl": 157, "openat": 257, "unshare": 272,
        "process_vm_writev": 311, "seccomp": 317, "execveat": 322, "io_uring_setup": 425,
        "clone3": 435, "openat2": 437,
    },
    "aarch64": {
        "unlinkat": 35, "openat": 56, "unshare": 97, "ptrace": 117, "kill": 129, "prctl": 167,
        "socket": 198, "connect": 203, "clone": 220, "execve": 221, "process_vm_writev": 271,
        "seccomp": 277, "execveat": 281, "io_uring_setup": 425, "clone3": 435, "openat2": 437,
    },
}  # fmt: skip


def verdict(program: bytes, number: int, audit: int) -> int:
    """What the kernel would do with system call ``number`` of architecture ``audit``."""
    instructions = list(struct.iter_unpack("=HBBI", program))
    loaded, place = 0, 0
    while True:
        code, if_so, if_not, operand = instructions[place]
        place += 1
        if code == RETURN:
            return int(operand)
        if code == LOAD_WORD:
            loaded = {0: number, 4: audit}[operand]
        else:
            assert code == JUMP_IF_EQUAL
            place += if_so if loaded == operand else if_not


@pytest.mark.parametrize("name", MACHINES)
def test_only_the_list_is_allowed(name: str) -> None:
    """Of all numbers that a kernel may have, exactly those on the list pass."""
    machine = MACHINES[name]
    program = filter_program(machine)
    allowed = {n for n in range(2000) if verdict(program, n, machine.audit) == SECCOMP_RET_ALLOW}
    assert allowed == set(machine.allowed.values())
    assert all(
        verdict(program, n + X32, machine.audit) == REFUSED for n in machine.allowed.values()
    )


@pytest.mark.parametrize("name", MACHINES)
def test_dangerous_calls_are_refused(name: str) -> None:
    """Files, network, programs, processes, other processes, other filters."""
    machine = MACHINES[name]
    program = filter_program(machine)
    for number in DANGEROUS[name].values():
        assert verdict(program, number, machine.audit) == REFUSED


@pytest.mark.parametrize("name", MACHINES)
def test_calls_by_another_architectures_numbers_are_refused(name: str) -> None:
    """A 64-bit process can make 32-bit calls, whose numbers mean something else."""
    machine: SeccompArch = MACHINES[name]
    program = filter_program(machine)
    for audit in (0x4000_0003, 0x4000_0028, 0):
        for number in machine.allowed.values():
            assert verdict(program, number, audit) == REFUSED
