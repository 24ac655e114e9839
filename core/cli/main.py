"""``waggle``: the command line. One file per command; errors become one sentence and a code.

Exit codes: 0 done, 1 a failure that is explained on stderr, 2 wrong usage.
"""

import argparse
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from core.cli.output import Complaints, complain
from core.errors import DiskFullError, WaggleError
from core.paths import explain_os_error
from core.pipes import is_reader_gone

_INTERRUPTED = "Interrupted."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # as after `>&-`
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - to stay
    logging.lastResort = Complaints()  # of commands that keep no log
    if isinstance(sys.stdout, TextIOWrapper):  # an old code page must not end a run over one sign
        sys.stdout.reconfigure(errors="replace")
    try:
        from core.cli.commands import build_parser  # here, since Ctrl-C may come meanwhile

        arguments = build_parser().parse_args(argv)
    except KeyboardInterrupt:
        complain(_INTERRUPTED)
        return 1
    return _run(arguments)


def _run(arguments: argparse.Namespace) -> int:
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()  # here, where it is heard if nobody reads any more
    except WaggleError as error:
        return _explain(arguments, str(error), error.exit_code)
    except KeyboardInterrupt:
        return _explain(arguments, _INTERRUPTED, 1)
    except Exception as error:  # noqa: BLE001 - a person sees a sentence; --debug shows the rest
        return _give_up(arguments, error)
    return code


def _give_up(arguments: argparse.Namespace, error: Exception) -> int:
    is_unheard = _is_unheard(error)
    try:
        sys.stdout.flush()
    except OSError:  # nor would it succeed when Python ends, which were another failure
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if is_unheard:
        return 0
    if isinstance(error, OSError):
        full = explain_os_error(error, Path(str(error.filename or "the output")), "try again")
        if isinstance(full, DiskFullError):
            return _explain(arguments, str(full), full.exit_code)
    words = f"Something unexpected went wrong ({type(error).__name__}: {error})."
    return _explain(arguments, f"{words} Run it again with --debug to see where.", 1)


def _is_unheard(error: Exception) -> bool:
    """Whether the reader of our output went away, as `| head` does.

    What Windows says then may come from anywhere: there a new line shows whether anybody reads.
    """
    if isinstance(error, BrokenPipeError):
        return True
    if isinstance(error, OSError) and is_reader_gone(error):
        try:
            sys.stdout.write("\n")
            sys.stdout.flush()
        except OSError as again:
            return is_reader_gone(again)
    return False


def _explain(arguments: argparse.Namespace, words: str, code: int) -> int:
    if arguments.debug:
        traceback.print_exc()
    complain(words)
    return code


if __name__ == "__main__":
    sys.exit(main())
