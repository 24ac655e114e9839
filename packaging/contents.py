"""Which of the files that PyInstaller found are shipped, and which libraries those still need."""

import re
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Final, TypeAlias

Entry: TypeAlias = tuple[str, str, str]
"""Of PyInstaller: where it goes, where it comes from, and what it is."""

_PLUGINS: Final = (
    r"platforms/.*(xcb|wayland|offscreen|minimal|windows|cocoa)",
    r"(iconengines|imageformats)/.*svg",
    r"platforminputcontexts/.*(ibus|compose)",  # Chinese is written with their help
    r"platformthemes/.*xdgdesktopportal",  # tells whether the desktop is dark
    r"wayland-(shell-integration|decoration-client)/",
    r"styles/",
)
_UNWANTED: Final = re.compile(
    r"/Qt/plugins/(?!" + "|".join(_PLUGINS) + ")"
    r"|^PySide6/(plugins/(?!" + "|".join(_PLUGINS) + ")|translations/(?!qtbase_(de|es|zh_CN)))"
    r"|/Qt/translations/(?!qtbase_(de|es|zh_CN)\.qm)"
    r"|/Qt/qml/"
    r"|^torch/((test|include|share)/|bin/(?!torch_shm_manager$))"
    r"|^torch/lib/(libaoti_custom_ops|libbackend_with_compiler|libjitbackend_test)"
    r"|^torch/.*\.(h|hpp|cuh|a|lib|cmake|pyi)$"
    r"|^llama_cpp/lib/.*(mtmd|llava)"
    r"|^llama_cpp/lib/lib(llama\.so\.|ggml[a-z0-9-]*\.so\.\d+\.)"  # the same library once more
    r"|\.dist-info/(RECORD|INSTALLER|REQUESTED|direct_url\.json|licenses/)"
    r"|(^|/)tests?/"
)


def is_wanted(place: str) -> bool:
    """Whether the file that would go to ``place`` is of use to anybody."""
    return not _UNWANTED.search(place.replace("\\", "/"))


def modules_below(package: Path, unused: tuple[str, ...] = ()) -> list[str]:
    """Every module of the package in that folder, but those whose names begin with ``unused``.

    From the names of files alone: PyInstaller's own way loads the package, which takes minutes.
    """
    found = []
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if all(part.isidentifier() for part in parts) and not f"{name}.".startswith(unused):
            found.append(name)
    return found


def plain_metadata() -> list[tuple[str, str]]:
    """What libraries ask of their own and of each other's distribution, such as the version."""
    found = set()
    for one in distributions():
        for path in one.files or ():
            if path.name == "METADATA" and path.parts[0].endswith(".dist-info"):
                found.add((str(one.locate_file(path)), path.parts[0]))
    return sorted(found)


def closed_over(entries: Sequence[Entry]) -> list[Entry]:
    """``entries`` without libraries of the system that nothing needs any more.

    PyInstaller finds what each plugin of Qt needs before we say which plugins there are.
    """
    if sys.platform != "linux":
        return list(entries)
    from PyInstaller.depend.bindepend import get_imports

    by_name = {Path(place).name: (place, source, kind) for place, source, kind in entries}
    kept: dict[str, Entry] = {}
    waiting = [entry for entry in entries if not _is_of_system(entry)]
    while waiting:
        entry = waiting.pop()
        if entry[0] in kept:
            continue
        kept[entry[0]] = entry
        if entry[2] != "SYMLINK":
            waiting += _named(by_name, (name for name, _ in get_imports(entry[1])))
    return [entry for entry in entries if kept.get(entry[0]) == entry]


def _named(by_name: dict[str, Entry], names: Iterable[str]) -> list[Entry]:
    return [by_name[Path(name).name] for name in names if Path(name).name in by_name]


def _is_of_system(entry: Entry) -> bool:
    """Whether it is a library that only others need: the system's, or one of Qt's own."""
    place, source, kind = entry
    if kind != "BINARY" or place.startswith("libpython"):
        return False
    return "/Qt/lib/" in place or ("/" not in place and "site-packages" not in source)
