"""Starts the helper."""

import sys

from core.helper.main import main

sys.exit(main())
