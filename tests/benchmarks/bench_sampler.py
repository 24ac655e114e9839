"""Our samplers against transformers and bare llama.cpp: ``python3 dev.py bench sampler``.

The same as ``waggle bench sampler``, on random weights too.
"""

from collections.abc import Sequence

from core.bench.runs import BenchConditions, bench_sampler
from core.models.memory.compute import choose_compute
from tests.benchmarks.rivals import find_model, parser, work_of
from tests.benchmarks.telling import tell, tell_lap


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what was found."""
    chosen = parser(str(__doc__)).parse_args(arguments)
    spec = find_model(chosen.model, chosen.folder)
    compute = choose_compute(spec.parameters)
    conditions = BenchConditions(compute, chosen.threads, chosen.laps, tell_lap)
    tell(bench_sampler(spec, work_of(chosen, spec), conditions), "sampler")


if __name__ == "__main__":
    main()
