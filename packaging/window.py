"""``waggle-app`` in the frozen app: the window."""

import sys
from multiprocessing import freeze_support

from parts import forget_library_path

from app.main import main

if __name__ == "__main__":
    freeze_support()
    forget_library_path()
    sys.exit(main())
