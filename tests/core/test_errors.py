"""The tree of errors."""

import inspect

from core import errors
from core.errors import UsageError, WaggleError, WireError


def test_the_docstring_draws_every_error() -> None:
    """The drawn tree and the classes are the same."""
    classes = [c for _, c in inspect.getmembers(errors, inspect.isclass)]
    for error in classes:
        if issubclass(error, WaggleError) and error.__module__ == errors.__name__:
            assert error.__name__ in (errors.__doc__ or "")


def test_only_wrong_usage_exits_with_two() -> None:
    """Exit code 2 is the caller's mistake, 1 everything else."""
    assert WaggleError.exit_code == 1
    assert UsageError.exit_code == 2
    assert WireError("too long").exit_code == 1


def test_a_wire_error_keeps_its_reason_apart() -> None:
    """Reasons can be counted, details be read."""
    error = WireError("clock", "3 h ahead")
    assert (error.reason, str(error)) == ("clock", "clock: 3 h ahead")
