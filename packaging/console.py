"""``waggle`` in the frozen app: the command line, or one of our modules as a child process."""

import sys
from multiprocessing import freeze_support

from parts import forget_library_path, run

if __name__ == "__main__":
    freeze_support()  # no-one here uses it, but a library may, and would start us without end
    forget_library_path()
    sys.exit(run(sys.argv[1:]))
