"""``dev.py`` knows what is missing on a Debian, and installs it or says what to type."""

import shutil
import sys
from pathlib import Path

import pytest

import dev
import dev_system
from tests.fake_checkout import FakeTools, fake_checkout

HERE = (sys.version_info[0], sys.version_info[1])
needs_sh = pytest.mark.skipif(sys.platform == "win32", reason="the fake tools are shell scripts")


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeTools:
    """A PATH with nothing on it."""
    tools = FakeTools(tmp_path / "tools")
    monkeypatch.setenv("PATH", str(tools.folder))
    return tools


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder at which ``dev`` looks instead of this one."""
    return fake_checkout(tmp_path / "checkout", monkeypatch)


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeTools:
    """A PATH with a fake apt and a dpkg that knows only xvfb."""
    tools = FakeTools(tmp_path / "debian")
    tools.add("dpkg-query", says="xvfb installed")
    tools.add("apt-get")
    tools.add("cc")
    (tools.folder / "env").symlink_to(str(shutil.which("env")))
    monkeypatch.setenv("PATH", str(tools.folder))
    monkeypatch.setattr(dev, "build_packages", lambda *_: [])
    return tools


def test_a_listing_is_its_lines_without_comments(tmp_path: Path) -> None:
    """Neither empty lines nor comments are packages."""
    (tmp_path / "list.txt").write_text("# why\none\n\ntwo\n", encoding="utf-8")
    assert dev_system.names_in(tmp_path / "list.txt") == ["one", "two"]


@needs_sh
def test_both_compilers_are_asked_for_where_they_are_missing(tools: FakeTools) -> None:
    """C for pycosat, C++ for llama.cpp; what is there is not asked for."""
    assert {"gcc", "g++"} <= set(dev_system.build_packages(sys.executable, HERE))
    tools.add("cc")
    tools.add("c++")
    assert not {"gcc", "g++"} & set(dev_system.build_packages(sys.executable, HERE))


@needs_sh
def test_the_python_that_was_chosen_says_what_it_lacks(tools: FakeTools) -> None:
    """It may be another one than runs the script."""
    for name in ("cc", "c++"):
        tools.add(name)
    tools.write("python9.9", "echo dev")
    chosen = str(tools.folder / "python9.9")
    assert dev_system.build_packages(chosen, (9, 9)) == ["python9.9-dev"]


@needs_sh
@pytest.mark.parametrize(
    ("system", "way"),
    [
        ("linux", "gcc"),
        ("darwin", "xcode-select --install"),
        ("win32", "Build Tools for Visual Studio"),
    ],
)
def test_without_a_compiler_each_system_is_told_its_own_way(
    tools: FakeTools, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, way: str
) -> None:
    """Where apt cannot install it; with a compiler there is nothing to say."""
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("PROGRAMFILES(X86)", str(tmp_path))
    tools.add("xcode-select", exit_code=2)
    assert way in dev_system.compiler_advice()
    tools.add("xcode-select")
    tools.add("cc")
    finder = tmp_path / "Microsoft Visual Studio" / "Installer" / "vswhere.exe"
    finder.parent.mkdir(parents=True)
    finder.touch()
    assert dev_system.compiler_advice() == ""


@needs_sh
def test_only_what_dpkg_does_not_know_is_missing(tools: FakeTools) -> None:
    """A package that was removed but not purged is missing, too."""
    tools.add("dpkg-query", says="xvfb installed\nlibgl1 config-files")
    assert dev_system.missing_packages(["xvfb", "libgl1", "libegl1"]) == ["libgl1", "libegl1"]


@needs_sh
def test_missing_system_packages_are_installed_by_root(
    checkout: Path, debian: FakeTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what dpkg does not know is asked for, after one refresh of the lists."""
    assert checkout.is_dir()
    monkeypatch.setattr("os.geteuid", lambda: 0)
    dev.install_system_packages(["libegl1", "xvfb"])
    assert [call for call in debian.calls() if call.startswith("apt-get")] == [
        "apt-get update -qq",
        "apt-get install -y --no-install-recommends libegl1 -qq",
    ]


@needs_sh
def test_a_package_that_a_system_does_not_have_keeps_none_of_the_others_out(
    checkout: Path,
    debian: FakeTools,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Apt installs all or nothing: then each by itself, and what is missing is named."""
    assert checkout.is_dir()
    monkeypatch.setattr("os.geteuid", lambda: 0)
    debian.add("apt-get", fails_on="chromium")
    dev.install_system_packages(["redis-server", "chromium"])
    assert "apt-get install -y --no-install-recommends redis-server -qq" in debian.calls()
    told = capsys.readouterr().out
    assert "going on without chromium:" in told
    assert "without redis-server" not in told


@needs_sh
def test_who_may_not_install_is_told_what_to_type(
    checkout: Path,
    debian: FakeTools,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without rights the exact command is printed, nothing is asked, and setting up goes on."""
    assert checkout.is_dir()
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    debian.add("sudo", exit_code=1)
    dev.install_system_packages(["libegl1", "xvfb"])
    assert "sudo apt-get install -y --no-install-recommends libegl1" in capsys.readouterr().out
    assert not [call for call in debian.calls() if call.startswith("apt-get")]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a screen there")
def test_a_screen_is_what_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """X11 and Wayland both count; an empty variable does not."""
    monkeypatch.setenv("DISPLAY", "")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not dev_system.has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert dev_system.has_screen()
