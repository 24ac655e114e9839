"""Python processes of our own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.children import NICENESS, PART, bare_environment, python_command


def test_a_module_of_this_release_is_run_from_anywhere(tmp_path: Path) -> None:
    """With its arguments, and never one of that name in the folder it is started in."""
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "__init__.py").write_text("raise SystemExit('a stranger')")
    command = [*python_command("core.cli.main"), "--help"]
    done = subprocess.run(  # noqa: S603 - our own program
        command, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "usage: waggle" in done.stdout


def test_a_frozen_app_is_its_own_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its two programs lie in one folder, and the console one is told which module to be."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "waggle-app"))
    program, *arguments = python_command("core.serve")
    assert (Path(program).parent, Path(program).stem) == (tmp_path, "waggle")
    assert arguments == [PART, "core.serve"]


def test_nothing_of_ours_is_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for what was asked for, and what Windows starts nothing without."""
    monkeypatch.setenv("HF_TOKEN", "secret")
    assert set(bare_environment(OMP_NUM_THREADS="1")) <= {"OMP_NUM_THREADS", "SYSTEMROOT"}


@pytest.mark.skipif(sys.platform == "win32", reason="where classes have no finer steps")
@pytest.mark.parametrize(("before", "after"), [(0, NICENESS), (NICENESS + 3, NICENESS + 3)])
def test_whoever_makes_way_never_comes_forward(before: int, after: int) -> None:
    """A process that was started behind others already stays there."""
    script = (
        f"import psutil; psutil.Process().nice({before} or psutil.Process().nice());"
        "from core.children import make_way; make_way(); print(psutil.Process().nice())"
    )
    done = subprocess.run(  # noqa: S603 - the lines above
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ
    )
    assert int(done.stdout) == after


@pytest.mark.skipif(sys.platform != "linux", reason="sessions share the processor on Linux")
def test_apart_it_is_a_session_that_gets_less() -> None:
    """Niceness alone would only put it behind the window that started it."""
    script = (
        "import os; from pathlib import Path; from core.children import make_way;"
        "make_way(apart=True); print(os.getsid(0) == os.getpid());"
        "print(Path('/proc/self/autogroup').read_text())"
    )
    done = subprocess.run(  # noqa: S603 - the lines above
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=os.environ
    )
    is_apart, *group = done.stdout.splitlines()
    assert is_apart == "True"
    if group:  # a kernel that has them
        assert group[0].endswith(f"nice {NICENESS}")


@pytest.mark.skipif(sys.platform == "win32", reason="core files are a matter of POSIX")
def test_a_crash_leaves_no_core_file() -> None:
    """Even where the system would keep one."""
    script = (
        "import resource; from core.children import crash_quietly; crash_quietly();"
        "print(resource.getrlimit(resource.RLIMIT_CORE)[0])"
    )
    done = subprocess.run(  # noqa: S603 - the lines above
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout == "0\n"
