"""The disk image and the update are made in the right order, and say what could not be done.

Apple's tools run on macOS only; here they are scripts that note how they were called. The fake
``file`` finds the kind of a file written into it.
"""

import os
import platform
import plistlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from threading import Event

import pytest

from core.updates.unpacking import unpack

HERE = Path(__file__).resolve().parents[3] / "installers" / "macos"
SCRIPT = HERE / "make_dmg.sh"
TOOLS = {
    "codesign": "",
    "ditto": 'case $1 in -c) touch "$5" ;; *) cp -R "$1" "$2" ;; esac',
    "file": 'cat "$2"; exit',
    "hdiutil": "",
    "tar": f'echo "COPYFILE_DISABLE=$COPYFILE_DISABLE" >> "$0.env"; {shutil.which("tar")} "$@"',
    "xcrun": "",
}
PROGRAM = "Mach-O 64-bit executable arm64"
LIBRARY = "Mach-O 64-bit dynamically linked shared library arm64"
FAT = f"Mach-O universal binary with 2 architectures: [x86_64:{PROGRAM}] [arm64:{PROGRAM}]"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("bash") is None, reason="a script for bash"
)


class Mac:
    """A folder with an app, and tools that only write down what they were asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.app = folder / "Waggle.app"
        for name, kind in {
            "MacOS/waggle": PROGRAM,
            "MacOS/waggle-app": PROGRAM,
            "Frameworks/libtorch.dylib": LIBRARY,
            "Frameworks/a name/_ext.so": "Mach-O 64-bit bundle arm64",
            "Frameworks/torch/bin/torch_shm_manager": FAT,
            "Frameworks/QtCore.framework/Versions/A/QtCore": LIBRARY,
            "Resources/waggle.svg": "SVG Scalable Vector Graphics image",
            "Resources/install.sh": "POSIX shell script text executable",
        }.items():
            path = self.app / "Contents" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(kind, "ascii")
        self.notes = folder / "notes"
        (folder / "bin").mkdir()
        for tool, does in TOOLS.items():
            fake = folder / "bin" / tool
            fake.write_text(f'#!/bin/sh\n{does}\necho "{tool} $*" >> "{self.notes}"\n', "ascii")
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
    """Sealed by nobody, so that it is whole; nothing is sent; image and update are there."""
    done = mac.make()
    assert done.returncode == 0
    assert done.stderr.count("make_dmg: warning:") == 2
    asked = mac.asked()
    assert asked[0] == "codesign --force --deep --sign - Waggle.app"
    assert [line.split()[0] for line in asked[2:]] == ["ditto", "hdiutil", "tar"]


@pytest.mark.parametrize("identity", ["", "Somebody"])
def test_the_seal_is_looked_at_before_anything_is_packed(mac: Mac, identity: str) -> None:
    """Whoever signed it: macOS calls an app with a broken seal damaged."""
    mac.make(WAGGLE_MAC_IDENTITY=identity)
    asked = mac.asked()
    verified = asked.index("codesign --verify --deep --strict Waggle.app")
    assert asked[verified - 1].endswith(" Waggle.app")
    assert asked[verified + 1].startswith("ditto ")


def test_the_app_is_signed_from_the_inside_out(mac: Mac) -> None:
    """Libraries, frameworks as a whole, programs by any name, the app; the image comes last."""
    done = mac.make(WAGGLE_MAC_IDENTITY="Developer ID Application: Somebody")
    assert done.returncode == 0
    signed = [line.rsplit("/", 1)[-1] for line in mac.asked() if line.startswith("codesign --f")]
    assert set(signed[:2]) == {"libtorch.dylib", "_ext.so"}
    assert signed[2] == "QtCore.framework"
    assert set(signed[3:6]) == {"waggle", "waggle-app", "torch_shm_manager"}
    assert signed[6].endswith(" Waggle.app")
    assert " waggle-0.1.0-macos-" in signed[7]
    assert len(signed) == 8


def test_everything_that_runs_is_hardened(mac: Mac) -> None:
    """Programs with the entitlements, all with the hardened runtime and a time stamp."""
    mac.make(WAGGLE_MAC_IDENTITY="Somebody")
    signed = [line for line in mac.asked() if line.startswith("codesign --force")][:-1]
    assert all("--options runtime" in line and "--timestamp" in line for line in signed)
    entitled = [line for line in signed if "--entitlements" in line]
    assert len(entitled) == 4


def test_apple_looks_at_the_image_where_it_can(mac: Mac) -> None:
    """App and image: sent and stapled, in this order; nothing is left to warn of.

    The app before it is copied into the image, which is read-only, and before it is packed.
    """
    done = mac.make(WAGGLE_MAC_IDENTITY="Somebody", WAGGLE_NOTARY_PROFILE="waggle")
    assert done.stderr == ""
    after = mac.asked().index("codesign --verify --deep --strict Waggle.app") + 1
    zipped, sent, app, copied, made, _signed, asked, image, packed = mac.asked()[after:]
    assert zipped.startswith("ditto -c -k --keepParent Waggle.app ")
    assert sent.startswith("xcrun notarytool submit /")
    assert sent.endswith("/Waggle.zip --keychain-profile waggle --wait")
    assert app == "xcrun stapler staple Waggle.app"
    assert copied.startswith("ditto Waggle.app ")
    assert made.startswith("hdiutil create ")
    assert asked.startswith("xcrun notarytool submit waggle-0.1.0-macos-")
    assert image.startswith("xcrun stapler staple waggle-0.1.0-macos-")
    assert packed.startswith("tar ")


def test_the_update_is_one_that_a_waggle_takes(mac: Mac) -> None:
    """One folder with all of the app and nothing beside it, not even the files of Apple's tar."""
    update = Path(mac.make().stdout.splitlines()[-1])
    assert update.name == f"waggle-0.1.0-macos-{platform.machine()}.tar.xz"
    with tarfile.open(update) as archive:
        assert {name.split("/")[0] for name in archive.getnames()} == {"Waggle.app"}
    into = mac.folder / "unpacked"
    into.mkdir()
    unpack(update, into, Event())
    names = {path.relative_to(mac.app.parent) for path in (mac.app, *mac.app.rglob("*"))}
    assert {path.relative_to(into) for path in into.rglob("*")} == names
    assert (mac.folder / "bin/tar.env").read_text("ascii") == "COPYFILE_DISABLE=1\n"


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
