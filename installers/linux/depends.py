"""Which Debian packages the frozen folder needs, worked out from what its libraries ask for."""

from pathlib import Path
from typing import Final

from installers.linux.elf import asked_of_system, binaries

PACKAGES: Final = {
    "ld-linux-aarch64.so.1": "libc6",
    "ld-linux-x86-64.so.2": "libc6",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libc.so.6": "libc6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libdl.so.2": "libc6",
    "libdrm.so.2": "libdrm2",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgomp.so.1": "libgomp1",
    "libgthread-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libm.so.6": "libc6",
    "libpthread.so.0": "libc6",
    "libresolv.so.2": "libc6",
    "librt.so.1": "libc6",
    "libstdc++.so.6": "libstdc++6",
    "libutil.so.1": "libc6",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
"""Library: its package in Debian and Ubuntu; two where a transition gave it another name."""

OPENED_LATER: Final = {"libQt6DBus.so.6": "libdbus-1.so.3"}
"""What is opened by name while running, so that no header tells of it: by whom, and what."""

READ_LATER: Final = {"libfontconfig.so.1": "fontconfig-config"}
"""Packages with files that a library of the folder reads: without these, no font of the system."""


class UnknownLibraryError(Exception):
    """The folder needs a library that no package is known for."""


def depends(folder: Path) -> list[str]:
    """The entries of ``Depends``, sorted.

    Raises:
        UnknownLibraryError: the folder needs a library that ``PACKAGES`` does not name.
    """
    found = tuple(binaries(folder))
    asked = asked_of_system(folder, found)
    for holder, library in OPENED_LATER.items():
        if any(folder.rglob(holder)) and not any(folder.rglob(library)):
            asked[library] = Path(holder)
    unknown = [f"{name} (for {by.name})" for name, by in asked.items() if name not in PACKAGES]
    if unknown:
        raise UnknownLibraryError(
            f"No package is known for {', '.join(sorted(unknown))}. "
            "Add it to installers/linux/depends.py, or leave its user out of the folder."
        )
    packages = {PACKAGES[name] for name in asked}
    packages |= {package for reader, package in READ_LATER.items() if any(folder.rglob(reader))}
    newest = max((binary.glibc for binary in found), default=())
    if newest:
        packages.discard("libc6")
        packages.add(f"libc6 (>= {'.'.join(map(str, newest))})")
    return sorted(packages)
