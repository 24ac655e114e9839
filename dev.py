"""The one script to run, test and measure Waggle: ``python3 dev.py --help``.

It needs nothing but Python 3.11 to 3.13. The first use makes ``.venv`` beside this file and
installs the project into it; later uses see by a stamp that nothing changed and start at once.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

import dev_system
from dev_release import LLAMA_LEAN, SUPPORTED, command_package
from dev_system import CONSTRAINTS, ROOT, build_packages, names_in, root_prefix, say
from dev_windows import command_windows

VENV = ROOT / ".venv"
STAMP = VENV / "waggle-stamp"
FAST_STAMP = VENV / "waggle-fast"  # llama.cpp was tried, with or without success
DEBIAN_PACKAGES = ROOT / "debian-packages.txt"
DEBIAN_TEST_PACKAGES = ROOT / "debian-test-packages.txt"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
FORMAT = "1"  # raise it to make every checkout install again
SYSTEMS = ("linux", "win32", "darwin")
TYPES = (f"mypy --platform {name} --cache-dir .mypy_cache/{name}" for name in SYSTEMS)
LINTERS = ("ruff check", "ruff format --check", *TYPES, "lint-imports --no-logo")
HEADLESS_ROUNDS = 20
WHICH_TESTS = {"--all": ("-m", "not endurance"), "--endurance": ("-m", "")}
MOST_WORKERS = 4  # test processes; each holds torch, so memory and not cores is the limit


class SetupError(Exception):
    """Setting up failed; the text says what happened and what to do."""


def run(command: list[str | Path]) -> int:
    """Run ``command`` in the project's folder and return its exit code.

    Ctrl-C reaches the child by itself; it is given the time to save its work, and then all ends.
    """
    interrupted = False
    with subprocess.Popen([str(part) for part in command], cwd=ROOT) as process:
        while process.poll() is None:
            try:
                process.wait()
            except KeyboardInterrupt:
                interrupted = True
    if interrupted:
        raise KeyboardInterrupt
    return process.returncode


def python_for_venv() -> tuple[str, tuple[int, int]]:
    """The interpreter to build on: this one, or a supported one found beside it."""
    here = (sys.version_info[0], sys.version_info[1])
    if here in SUPPORTED:
        return sys.executable, here
    for version in reversed(SUPPORTED):
        found = shutil.which(f"python{version[0]}.{version[1]}")
        if found:
            return found, version
    raise SetupError(
        f"Waggle needs Python 3.11, 3.12 or 3.13, and this is {platform.python_version()}. "
        "Install one of them and start this script with it."
    )


def fingerprint(version: tuple[int, int]) -> str:
    """Changes whenever what is installed, or where, would."""
    digest = hashlib.sha256(f"{FORMAT} {version} {ROOT}".encode())
    digest.update((ROOT / "pyproject.toml").read_bytes() + CONSTRAINTS.read_bytes())
    return digest.hexdigest()


def is_ready(wanted: str) -> bool:
    """Whether the environment is complete and up to date; reads two small files."""
    return PYTHON.exists() and is_noted(STAMP, wanted)


def is_noted(stamp: Path, wanted: str) -> bool:
    """Whether ``stamp`` says that all was done for this state of the project."""
    return stamp.is_file() and stamp.read_text(encoding="ascii") == wanted


def is_sound(version: tuple[int, int]) -> bool:
    """Whether the environment's pip runs, on ``version``, in the folder it was made in."""
    # The pip of a copied environment runs, and installs where the environment was copied from.
    told = dev_system.version_of(SCRIPTS / "pip")
    place, _, python = told.partition(" from ")[2].rpartition(" (python ")
    is_here = Path(place).resolve().is_relative_to(VENV.resolve())
    return PYTHON.exists() and is_here and python.startswith(f"{version[0]}.{version[1]})")


def prepare() -> None:
    """Make sure that ``.venv`` holds the project and all it needs.

    Raises:
        SetupError: it does not, and why.
    """
    interpreter, version = python_for_venv()
    wanted = fingerprint(version)
    if is_ready(wanted):
        return
    began = time.monotonic()
    say("first use, or the dependencies changed: setting up. Later starts skip this.")
    STAMP.unlink(missing_ok=True)
    install_system_packages([*names_in(DEBIAN_PACKAGES), *build_packages(interpreter, version)])
    if not is_sound(version):
        say(f"making .venv with Python {version[0]}.{version[1]}")
        if run([interpreter, "-m", "venv", "--clear", VENV]) != 0:
            raise SetupError("The environment .venv cannot be made; the lines above say why.")
    install_project()
    STAMP.write_text(wanted, encoding="ascii")
    say(f"ready after {time.monotonic() - began:.0f} s.")


def install_project() -> None:
    """Install torch, then the project with its tools, at the versions of constraints.txt."""
    torch = next(line for line in names_in(CONSTRAINTS) if line.startswith("torch=="))
    say(f"installing {torch}; this takes minutes")
    if sys.platform == "linux":
        say("(pip's default build brings CUDA, several GB; CONTRIBUTING.md has the small way)")
    # First and by its exact version: a range would let pip prefer a newer, larger build.
    pip_install(torch)
    say("installing Waggle and the rest")
    pip_install("--editable", ".[dev,hub,dht,lab,parquet,cards]")


def pip_install(*what: str) -> None:
    """Install ``what``, without which there is no Waggle.

    Raises:
        SetupError: pip failed.
    """
    if pip(*what) != 0:
        raise SetupError(
            "pip could not install everything; its lines above say why. Mend that and run the "
            f"same command again. {dev_system.compiler_advice()}".rstrip()
        )


def pip(*what: str) -> int:
    """Let the environment's own pip install ``what``, configured as the person configured it."""
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    command: list[str | Path] = [SCRIPTS / "pip", "--disable-pip-version-check", "install", *quiet]
    return run([*command, "--constraint", CONSTRAINTS, *what])


def install_system_packages(wanted: list[str]) -> None:
    """On Debian and its kin, install what is missing, or say what to type where we may not."""
    is_debian = shutil.which("dpkg-query") and shutil.which("apt-get")
    if not is_debian or not (missing := dev_system.missing_packages(wanted)):
        return
    install = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    prefix = root_prefix()
    if prefix is None:
        say("some system packages are missing, and only an administrator may install them. Type:")
        say(f"    sudo apt-get update && sudo {' '.join(install)}")
        return
    say(f"installing system packages: {' '.join(missing)}")
    as_root = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive"]
    run([*as_root, "apt-get", "update", "-qq"])
    for name in missing if run([*as_root, *install, "-qq"]) else ():  # one that is unknown bars all
        if run([*as_root, *install[:4], name, "-qq"]):
            say(f"going on without {name}: the window may not open, tests may be skipped.")


def command_run(arguments: list[str]) -> int:
    """Open the window, or run headless where there is no screen; or run ``waggle ARGS``."""
    if arguments:
        return run([SCRIPTS / "waggle", *arguments])
    if dev_system.has_screen():
        return run([PYTHON, "-m", "app.main"])
    say(f"no screen here, so no window: running {HEADLESS_ROUNDS} rounds headless, alone.")
    return run([SCRIPTS / "waggle", "join", "--solo", "--rounds", str(HEADLESS_ROUNDS)])


def command_lint(arguments: list[str]) -> int:
    """Check style, format, types and layers: all four, whatever fails."""
    if arguments:
        say("lint takes no arguments; it checks the whole tree.")
        return 2
    failures = 0
    for check in LINTERS:
        began = time.monotonic()
        tool, *options = check.split()
        passed = run([SCRIPTS / tool, *options]) == 0
        say(f"{check}: {'passed' if passed else 'FAILED'} ({time.monotonic() - began:.1f} s)")
        failures += not passed
    return min(failures, 1)


def command_test(arguments: list[str]) -> int:
    """Lint, then run the quick tests; slow ones with ``--all``, with ``--endurance`` all there are.

    The first time, what only tests need is installed; where that fails, those are skipped.
    """
    began = time.monotonic()
    if command_lint([]):
        say("no tests were run; mend the lines above first.")
        return 1
    wanted = fingerprint(python_for_venv()[1])
    if not is_noted(FAST_STAMP, wanted):
        install_system_packages(names_in(DEBIAN_TEST_PACKAGES))
        command_fast([])
        FAST_STAMP.write_text(wanted, encoding="ascii")
    chosen = [argument for argument in arguments if argument not in WHICH_TESTS]
    options = [part for flag in WHICH_TESTS if flag in arguments for part in WHICH_TESTS[flag]]
    workers = min(MOST_WORKERS, os.cpu_count() or 1)
    if not chosen and workers > 1:  # a narrowed run is over before more processes would pay
        options += ["-n", str(workers), "--dist", "worksteal"]
    code = run([PYTHON, "-m", "pytest", *options, *chosen])
    say(f"lint and tests took {time.monotonic() - began:.0f} s")
    return code


def command_fast(arguments: list[str]) -> int:
    """Install llama.cpp, a second sampler for larger models; Waggle works without it."""
    if arguments:
        say("fast takes no arguments; it installs llama.cpp.")
        return 2
    say("installing llama.cpp; where it has to be compiled, that takes 5 to 10 minutes")
    os.environ["CMAKE_ARGS"] = os.environ.get("CMAKE_ARGS") or LLAMA_LEAN
    if pip("--editable", ".[dev,hub,dht,lab,parquet,cards,fast]") == 0:
        return 0
    say("llama.cpp cannot be built here, the lines above say why. Waggle goes on without it.")
    return 1


def command_bench(arguments: list[str]) -> int:
    """Run one benchmark with its own arguments, or all in turn."""
    names = sorted(path.stem[6:] for path in ROOT.glob("tests/benchmarks/bench_*.py"))
    if not arguments:
        return max((command_bench([name]) for name in names), default=0)
    name, *options = arguments
    if name not in names:
        say(f"there is no benchmark {name}; there are: {', '.join(names) or 'none yet'}")
        return 2
    say(f"bench {name}")
    return run([PYTHON, "-m", f"tests.benchmarks.bench_{name}", *options])


# name: what it does, what stands behind the name, the function
COMMANDS = {
    "run": ("open the window, or practise headless", "[[--] WAGGLE-COMMAND ...]", command_run),
    "test": ("lint, then run the tests", "[--all | --endurance] [ARGUMENT ...]", command_test),
    "lint": ("check style, format, types and layers", "", command_lint),
    "fast": ("install llama.cpp as well", "", command_fast),
    "package": ("freeze the app, and make its packages", "", command_package),
    "windows": ("try Windows' side under Wine", "[PART ...]", command_windows),
    "bench": ("run one benchmark, or all", "[NAME [ARGUMENT ...]]", command_bench),
}


def parse(argv: list[str]) -> tuple[str, list[str]]:
    """The command's name and the arguments to pass on; what follows ``--`` is never read here."""
    parser = argparse.ArgumentParser(prog="dev.py", description=str(__doc__).split("\n", 1)[0])
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")
    for name, (words, usage, function) in COMMANDS.items():
        commands.add_parser(
            name, help=words, description=function.__doc__, usage=f"dev.py {name} {usage}"
        )
    split = argv.index("--") if "--" in argv else len(argv)
    known, passed = parser.parse_known_args(argv[:split])
    return known.name, [*passed, *argv[split + 1 :]]


def main(argv: list[str]) -> int:
    """Set up where needed, then run the command; returns the exit code."""
    name, arguments = parse(argv)
    try:
        if name != "package":  # which has an environment of its own
            prepare()
        return COMMANDS[name][2](arguments)
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("stopped.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
