"""Starts the desk."""

import sys

from core.desk.main import main

sys.exit(main())
