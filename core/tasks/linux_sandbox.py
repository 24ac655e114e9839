"""What Linux offers an unprivileged process to lock itself in: namespaces, a leash, and seccomp.

Each function raises OSError where the kernel or a container around us refuses. Only for a process
with one thread: namespaces demand it, and a filter binds the calling thread alone.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from dataclasses import dataclass
from functools import cache

CLONE_NEWUSER = 0x1000_0000
CLONE_NEWNET = 0x4000_0000

PR_SET_PDEATHSIG = 1
SIGKILL = 9  # <signal.h>; not every Python has the name
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW = 0x7FFF_0000
SECCOMP_RET_ERRNO = 0x0005_0000

LOAD_WORD = 0x20  # BPF_LD | BPF_W | BPF_ABS
JUMP_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
RETURN = 0x06  # BPF_RET | BPF_K
NUMBER_AT, ARCHITECTURE_AT = 0, 4  # offsets in struct seccomp_data


@dataclass(frozen=True, slots=True)
class SeccompArch:
    """A processor architecture as seccomp sees it."""

    audit: int  # AUDIT_ARCH_*
    allowed: dict[str, int]  # system calls that pure computing between two pipes needs


MACHINES = {
    "x86_64": SeccompArch(
        audit=0xC000_003E,
        allowed={
            "read": 0, "write": 1, "close": 3, "fstat": 5, "mmap": 9, "mprotect": 10, "munmap": 11,
            "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15,
            "sched_yield": 24, "mremap": 25, "madvise": 28, "getpid": 39, "exit": 60,
            "gettimeofday": 96, "getrusage": 98, "sigaltstack": 131, "gettid": 186, "futex": 202,
            "restart_syscall": 219, "clock_gettime": 228, "clock_nanosleep": 230,
            "exit_group": 231, "getrandom": 318,
        },
    ),
    "aarch64": SeccompArch(
        audit=0xC000_00B7,
        allowed={
            "close": 57, "read": 63, "write": 64, "fstat": 80, "exit": 93, "exit_group": 94,
            "futex": 98, "clock_gettime": 113, "clock_nanosleep": 115, "sched_yield": 124,
            "restart_syscall": 128, "sigaltstack": 132, "rt_sigaction": 134,
            "rt_sigprocmask": 135, "rt_sigreturn": 139, "getrusage": 165, "gettimeofday": 169,
            "getpid": 172, "gettid": 178, "brk": 214, "munmap": 215, "mremap": 216, "mmap": 222,
            "mprotect": 226, "madvise": 233, "getrandom": 278,
        },
    ),
}  # fmt: skip


class _Program(ctypes.Structure):
    """The kernel's struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def leave_network() -> None:
    """Move into a network namespace of one's own, in which there is nothing."""
    if _libc().unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
        raise _last_error()


def end_with_parent() -> None:
    """Be killed when the thread that started this process ends, even in the midst of computing."""
    _prctl(PR_SET_PDEATHSIG, SIGKILL)


def allow_only_computing() -> None:
    """Refuse (EPERM) every system call but those of computing and of pipes already open.

    An allow-list: what kernels learn in the future is refused, too.
    """
    name = platform.machine()
    machine = MACHINES.get(name)
    if machine is None or sys.maxsize <= 1 << 32:  # no compat mode
        raise OSError(errno.ENOSYS, f"no filter is known for this processor, {name}")
    code = filter_program(machine)
    program = _Program(len(code) // 8, code)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(program))


def filter_program(machine: SeccompArch) -> bytes:
    """Classic BPF, 8 bytes an instruction, that allows only ``machine.allowed``."""
    count = len(machine.allowed)
    return b"".join(
        (
            _instruction(LOAD_WORD, ARCHITECTURE_AT),
            _instruction(JUMP_IF_EQUAL, machine.audit, if_not=count + 1),
            _instruction(LOAD_WORD, NUMBER_AT),
            *(
                _instruction(JUMP_IF_EQUAL, number, if_so=count - place)
                for place, number in enumerate(machine.allowed.values())
            ),
            _instruction(RETURN, SECCOMP_RET_ERRNO | errno.EPERM),
            _instruction(RETURN, SECCOMP_RET_ALLOW),
        )
    )


def _instruction(code: int, operand: int, *, if_so: int = 0, if_not: int = 0) -> bytes:
    """One struct sock_filter; jumps count the instructions that are skipped."""
    return struct.pack("=HBBI", code, if_so, if_not, operand)


@cache
def _libc() -> ctypes.CDLL:
    """Opened when it is needed: the program of the filter is data, and is read on any system."""
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, *arguments: int) -> None:
    values = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    if _libc().prctl(option, *values) != 0:
        raise _last_error()


def _last_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))
