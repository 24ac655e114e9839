"""``dev.py`` sets up once, says what it does, and runs the right tool with the right arguments."""

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from dev_release import LLAMA_LEAN
from tests.fake_checkout import FakeTools, fake_checkout

ROOT = Path(__file__).resolve().parent.parent
HERE = (sys.version_info[0], sys.version_info[1])
SAYS = f"pip 26 from $0 (python {HERE[0]}.{HERE[1]})"  # $0: the path of that pip
needs_sh = pytest.mark.skipif(sys.platform == "win32", reason="the fake tools are shell scripts")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder at which ``dev`` looks instead of this one."""
    return fake_checkout(tmp_path / "checkout", monkeypatch)


@pytest.fixture
def venv(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> FakeTools:
    """A sound environment of fake tools, and no system package manager."""
    tools = FakeTools(checkout / ".venv" / "bin")
    tools.add("python")
    tools.add("pip", says=SAYS)
    for name in ("ruff", "mypy", "lint-imports", "waggle"):
        tools.add(name)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CMAKE_ARGS", "")
    return tools


@pytest.mark.parametrize("path", sorted(ROOT.glob("dev*.py")), ids=lambda path: path.name)
def test_the_files_can_be_read_by_a_python_too_old_for_the_project(path: Path) -> None:
    """An old Python must get as far as the sentence that asks for a newer one."""
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))


@pytest.mark.parametrize("command", sorted(dev.COMMANDS))
def test_every_command_has_a_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """``--help`` explains each command and ends well."""
    with pytest.raises(SystemExit) as exit_info:
        dev.parse([command, "--help"])
    assert exit_info.value.code == 0
    assert f"dev.py {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["run"], ("run", [])),
        (["run", "--", "join", "--help"], ("run", ["join", "--help"])),
        (["run", "exam", "--model", "ember"], ("run", ["exam", "--model", "ember"])),
        (["test", "tests/a.py", "-k", "x and y"], ("test", ["tests/a.py", "-k", "x and y"])),
        (["test", "--all", "-x"], ("test", ["--all", "-x"])),
        (["bench", "round", "--", "--", "a"], ("bench", ["round", "--", "a"])),
    ],
)
def test_arguments_are_passed_on_in_order(argv: list[str], expected: tuple[str, list[str]]) -> None:
    """What the script does not know, and all behind ``--``, reaches the tool unchanged."""
    assert dev.parse(argv) == expected


@needs_sh
def test_the_first_use_installs_torch_by_its_pin_and_then_the_project(venv: FakeTools) -> None:
    """Torch comes first and exactly; a range would fetch a newer, larger build."""
    dev.prepare()
    installs = [call for call in venv.calls() if " install " in call]
    assert [call.rsplit("constraints.txt ", 1)[1] for call in installs] == [
        "torch==2.13.0",
        "--editable .[dev,hub,dht,lab,parquet,cards]",
    ]


@needs_sh
def test_the_second_use_calls_no_tool_at_all(venv: FakeTools) -> None:
    """A stamp that still holds costs two file reads and no process."""
    dev.prepare()
    before = venv.calls()
    dev.prepare()
    assert venv.calls() == before


@needs_sh
def test_a_failed_build_of_llama_costs_nothing_else(
    venv: FakeTools, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever lacks a compiler is told so in words; the stamp holds, and all else works."""
    assert dev.main(["fast"]) == 0
    venv.add("pip", says=SAYS, fails_on="fast")
    assert dev.main(["fast"]) == 1
    assert "goes on without it" in capsys.readouterr().out
    assert "--editable .[dev,hub,dht,lab,parquet,cards,fast]" in venv.calls()[-1]


@needs_sh
@pytest.mark.parametrize("own", ["", "-DGGML_CUDA=ON"])
def test_of_llama_only_the_library_is_compiled(
    venv: FakeTools, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], own: str
) -> None:
    """Unless the person has options of their own, which are passed on as they are."""
    venv.add("pip", says=f"{SAYS} with $CMAKE_ARGS")
    monkeypatch.setenv("CMAKE_ARGS", own)
    assert dev.main(["fast"]) == 0
    assert f"with {own or LLAMA_LEAN}\n" in capfd.readouterr().out


@needs_sh
@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_dependency_installs_again(venv: FakeTools, checkout: Path, name: str) -> None:
    """Whoever pulls new requirements gets them with the next command."""
    dev.prepare()
    before = len(venv.calls())
    with (checkout / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    dev.prepare()
    assert len(venv.calls()) > before


@needs_sh
def test_a_failed_install_leaves_no_stamp(venv: FakeTools, checkout: Path) -> None:
    """A half-installed environment is never taken for a whole one."""
    dev.prepare()
    venv.add("pip", says=SAYS, exit_code=1)
    (checkout / "pyproject.toml").write_text("[project]\nname = 'b'\n", encoding="utf-8")
    with pytest.raises(dev.SetupError, match="pip could not install"):
        dev.prepare()
    assert not dev.STAMP.exists()


@needs_sh
def test_an_environment_is_sound_only_if_its_pip_runs_on_the_right_python(venv: FakeTools) -> None:
    """A moved, copied, half-made or older environment is seen as such and made again."""
    assert dev.is_sound(HERE)
    venv.add("pip", says="pip 26 from $0 (python 3.10)")
    assert not dev.is_sound(HERE)
    venv.add("pip", says=SAYS.replace("$0", "/elsewhere/.venv/lib/pip"))
    assert not dev.is_sound(HERE)
    (venv.folder / "pip").write_text("#!/nowhere/python\n", encoding="utf-8")
    assert not dev.is_sound(HERE)
    (venv.folder / "pip").unlink()
    assert not dev.is_sound(HERE)


def test_another_python_is_found_where_this_one_is_not_supported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A too new or too old Python looks for a supported one; where none is, it names the choice."""
    monkeypatch.setattr(dev, "SUPPORTED", ((9, 8), (9, 9)))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(dev.SetupError, match="needs Python"):
        dev.python_for_venv()
    other = tmp_path / ("python9.8.exe" if sys.platform == "win32" else "python9.8")
    other.write_text("", encoding="utf-8")
    other.chmod(0o755)
    interpreter, version = dev.python_for_venv()
    assert (Path(interpreter), version) == (other, (9, 8))


@needs_sh
def test_run_opens_the_window_where_there_is_a_screen(
    venv: FakeTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a screen, and nothing else asked for, the window opens."""
    monkeypatch.setenv("DISPLAY", ":7")
    assert dev.command_run([]) == 0
    assert venv.calls() == ["python -m app.main"]


@needs_sh
@pytest.mark.skipif(sys.platform == "darwin", reason="there is always a screen there")
def test_run_without_a_screen_says_so_and_practises_headless(
    venv: FakeTools, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a server the same command trains for twenty rounds, alone."""
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert dev.command_run([]) == 0
    assert "no screen" in capsys.readouterr().out
    assert venv.calls() == ["waggle join --solo --rounds 20"]


@needs_sh
def test_run_passes_a_command_to_waggle(venv: FakeTools) -> None:
    """Any command of ``waggle`` can be had without knowing where it is installed."""
    assert dev.command_run(["exam", "--model", "spark"]) == 0
    assert venv.calls() == ["waggle exam --model spark"]


@needs_sh
def test_lint_runs_all_checks_and_fails_if_one_does(
    venv: FakeTools, capsys: pytest.CaptureFixture[str]
) -> None:
    """One failure does not hide the next; each check is named with its outcome."""
    venv.add("ruff", exit_code=1)
    assert dev.command_lint([]) == 1
    assert len(venv.calls()) == len(dev.LINTERS)
    told = capsys.readouterr().out
    assert "ruff check: FAILED" in told
    for system in ("linux", "win32", "darwin"):  # what one of them runs is read for all
        assert f"mypy --platform {system} --cache-dir .mypy_cache/{system}: passed" in told


@needs_sh
def test_no_tests_run_on_code_that_does_not_lint(venv: FakeTools) -> None:
    """The closing line of a failed lint is never a green line of pytest."""
    venv.add("mypy", exit_code=1)
    assert dev.command_test([]) == 1
    assert not [call for call in venv.calls() if "pytest" in call]


@needs_sh
@pytest.mark.parametrize(("flag", "which"), [("--all", "not endurance"), ("--endurance", "")])
def test_all_means_the_slow_tests_too(venv: FakeTools, flag: str, which: str) -> None:
    """What lifts the marker filter is no argument of pytest."""
    assert dev.command_test([flag, "tests/core"]) == 0
    assert venv.calls()[-1] == f"python -m pytest -m {which} tests/core"
    assert flag in dev.COMMANDS["test"][1], "and the help names it"


@needs_sh
def test_llama_is_tried_once_for_the_tests(venv: FakeTools) -> None:
    """Even where it cannot be built: the tests that need it are skipped from then on."""
    venv.add("pip", says=SAYS, fails_on="fast")
    assert dev.command_test(["tests/core"]) == 0
    assert dev.command_test(["tests/core"]) == 0
    assert sum("[dev,hub,dht,lab,parquet,cards,fast]" in call for call in venv.calls()) == 1


@needs_sh
def test_the_exit_code_is_that_of_pytest(venv: FakeTools) -> None:
    """A failing suite fails the command."""
    venv.add("python", exit_code=3)
    assert dev.command_test(["tests/core"]) == 3


def test_a_benchmark_runs_by_name_with_its_arguments(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """``bench NAME ARGS`` runs that script; an unknown name is wrong usage and lists the known."""
    folder = checkout / "tests" / "benchmarks"
    folder.mkdir(parents=True)
    (folder / "bench_hive.py").write_text("import sys; print(sys.argv[1:])", encoding="utf-8")
    (folder / "rivals.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(dev, "PYTHON", Path(sys.executable))
    assert dev.command_bench(["hive", "--rounds", "3"]) == 0
    assert "['--rounds', '3']" in capfd.readouterr().out
    assert dev.command_bench(["honey"]) == 2
    assert "there are: hive\n" in capfd.readouterr().out


@needs_sh
def test_ctrl_c_lets_the_child_save_its_work() -> None:
    """The script waits for the node to finish its way out, and then stops without a traceback."""
    child = (
        "import signal, sys, threading; done = threading.Event();"
        "signal.signal(signal.SIGINT, lambda *_: done.set());"
        "print('ready', flush=True); done.wait(); print('saved', flush=True)"
    )
    parent = (
        "import dev, sys\n"
        "try:\n"
        f"    dev.run([sys.executable, '-c', {child!r}])\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    with subprocess.Popen(  # noqa: S603 - runs the two lines above
        [sys.executable, "-c", parent],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGINT)
        assert process.stdout.read() == "saved\nstopped\n"
        assert process.wait() == 0
