"""The process that plays one run: ``main`` is given the run's folder and tells every round."""

import sys
from pathlib import Path

from core.errors import WaggleError
from core.lab.learning.plans import read_plan
from core.pipes import claim_stdout


def main() -> int:
    """Play the run that the folder in ``sys.argv`` describes; one line of output a round.

    It ends when nobody listens any more.
    """
    channel = claim_stdout()
    folder = Path(sys.argv[1])
    try:
        run = read_plan(folder)
        from core.lab.learning.run import play

        play(run, folder, lambda number: channel.write(b"%d\n" % number))
    except WaggleError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0
