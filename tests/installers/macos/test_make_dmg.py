"""The disk image is made in the right order, and says what it could not do.

Apple's tools run on macOS only; here they are scripts that note how they were called.
"""

import os
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[3] / "installers" / "macos"
SCRIPT = HERE / "make_dmg.sh"
TOOLS = ("codesign", "ditto", "hdiutil", "xcrun")

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("bash") is None, reason="a script for bash"
)


class Mac:
    """A folder with an app, and tools that only write down what they were asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.app = folder / "Waggle.app"
        for name, runs in {
            "MacOS/waggle": True,
            "MacOS/waggle-app": True,
            "Frameworks/libtorch.dylib": False,
            "Frameworks/a name/_ext.so": False,
            "Resources/waggle.svg": False,
        }.items():
            path = self.app / "Contents" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(0o755 if runs else 0o644)
        self.notes = folder / "notes"
        (folder / "bin").mkdir()
        for tool in TOOLS:
            fake = folder / "bin" / tool
            fake.write_text(f'#!/bin/sh\necho "{tool} $*" >> "{self.notes}"\n', "ascii")
            fake.chmod(0o755)

    def make(self, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the script."""
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(  # noqa: S603 - our own script
            [SCRIPT, self.app, "0.1.0", self.folder],
            check=False,
            capture_output=True,
            env={"PATH": path, **environment},
            text=True,
        )

    def asked(self) -> list[str]:
        """What the tools were asked, in order, without this folder's name."""
        return self.notes.read_text("utf-8").replace(f"{self.folder}/", "").splitlines()


@pytest.fixture
def mac(tmp_path: Path) -> Mac:
    return Mac(tmp_path)


def test_without_an_identity_it_is_made_and_warns(mac: Mac) -> None:
    """Nothing is signed or sent; the image is there."""
    done = mac.make()
    assert done.returncode == 0
    assert done.stderr.count("make_dmg: warning:") == 2
    assert [line.split()[0] for line in mac.asked()] == ["ditto", "hdiutil"]


def test_the_app_is_signed_from_the_inside_out(mac: Mac) -> None:
    """Libraries, programs, the app, then the check; the image comes last."""
    done = mac.make(WAGGLE_MAC_IDENTITY="Developer ID Application: Somebody")
    assert done.returncode == 0
    signed = [line.rsplit(" ", 1)[1] for line in mac.asked() if line.startswith("codesign --force")]
    inside, programs, outside = signed[:2], signed[2:4], signed[4:]
    assert {Path(name).suffix for name in inside} == {".dylib", ".so"}
    assert {Path(name).name for name in programs} == {"waggle", "waggle-app"}
    assert outside[0] == "Waggle.app"
    assert outside[1].startswith("waggle-0.1.0-macos-")


def test_everything_that_runs_is_hardened(mac: Mac) -> None:
    """Programs with the entitlements, all with the hardened runtime and a time stamp."""
    mac.make(WAGGLE_MAC_IDENTITY="Somebody")
    signed = [line for line in mac.asked() if line.startswith("codesign --force")][:-1]
    assert all("--options runtime" in line and "--timestamp" in line for line in signed)
    entitled = [line for line in signed if "--entitlements" in line]
    assert len(entitled) == 3


def test_apple_looks_at_the_image_where_it_can(mac: Mac) -> None:
    """Sent and stapled, in this order; nothing is left to warn of."""
    done = mac.make(WAGGLE_MAC_IDENTITY="Somebody", WAGGLE_NOTARY_PROFILE="waggle")
    assert done.stderr == ""
    sent, stapled = mac.asked()[-2:]
    assert sent.startswith("xcrun notarytool submit")
    assert sent.endswith("--keychain-profile waggle --wait")
    assert stapled.startswith("xcrun stapler staple")


def test_a_tool_that_fails_ends_it(mac: Mac) -> None:
    """An image that was not sealed must not look like one."""
    (mac.folder / "bin" / "codesign").write_text("#!/bin/sh\nexit 3\n", "ascii")
    done = mac.make(WAGGLE_MAC_IDENTITY="Somebody")
    assert done.returncode != 0
    assert not mac.notes.exists()


def test_the_entitlements_open_no_more_than_they_say() -> None:
    """Nothing but just-in-time code: libraries of strangers stay out, debuggers too."""
    told = plistlib.loads((HERE / "entitlements.plist").read_bytes())
    assert told == {"com.apple.security.cs.allow-jit": True}


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
def test_shellcheck_has_nothing_to_say() -> None:
    """Quotes, exit codes and pipes."""
    subprocess.run(["shellcheck", SCRIPT], check=True)  # noqa: S603, S607 - on PATH
