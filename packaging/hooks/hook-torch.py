"""What of torch is shipped: all that computes; neither its tests nor what compiles against it.

In place of PyInstaller's own hook, which takes the tests along, and which loads torch to list its
modules. Each module is kept twice: as bytecode, and as text, since torch reads some of its sources.
"""

from importlib.util import find_spec
from pathlib import Path

from contents import modules_below  # beside waggle.spec, which put its folder on the path
from PyInstaller.utils.hooks import PY_DYLIB_PATTERNS, collect_dynamic_libs

_UNUSED = ("torch.test.", "torch.testing._internal.", "torch.utils.tensorboard.")

_spec = find_spec("torch")
assert _spec is not None  # noqa: S101 - or there would be no hook to run
assert _spec.origin is not None  # noqa: S101 - the same
_package = Path(_spec.origin).parent

module_collection_mode = "pyz+py"
warn_on_missing_hiddenimports = False
hiddenimports = modules_below(_package, _UNUSED)
excludedimports = ["tensorboard", "triton", "matplotlib", "IPython", "pytest", "expecttest"]
binaries = collect_dynamic_libs("torch", search_patterns=[*PY_DYLIB_PATTERNS, "*.so.*"])
# Not used, but torch does not start without.
binaries += [(str(path), "torch/bin") for path in _package.glob("bin/torch_shm_manager")]
# Links to libraries outside of torch/lib make torch look for its own in the wrong folder.
bindepend_symlink_suppression = ["**/torch/lib/*.so*"]
