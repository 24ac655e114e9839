"""A run at the end of a round, in one file: all adapters and optimisers, and the swarm's texts.

One file in one step: a run that is killed goes on from a moment at which everything fits together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from core.engine.ports import Progress
from core.errors import CheckpointError, LabError
from core.lab.learning.memory_swarm import SharedRollouts
from core.lab.learning.nodes import LabNode
from core.lab.learning.records import damaged
from core.rollouts.pool import PoolState
from core.rollouts.types import PeerId, RolloutGroup
from core.storage.files import replace_file
from core.training.checkpoint_notes import CheckpointNote
from core.training.checkpoints import Checkpoint


class _Words(msgspec.Struct, frozen=True):
    """What is no tensor."""

    round: int
    notes: tuple[CheckpointNote, ...]
    pools: tuple[PoolState, ...]
    newest: dict[PeerId, tuple[RolloutGroup, ...]]
    shared: dict[PeerId, int]
    handed: dict[PeerId, tuple[tuple[PeerId, int], ...]]
    copied: dict[PeerId, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SavedState:
    """Where a run is kept."""

    path: Path

    def save(self, round_number: int, nodes: Sequence[LabNode], rollouts: SharedRollouts) -> None:
        """Write everything that round ``round_number`` left behind.

        Raises:
            DiskFullError: nothing was replaced.
        """
        tensors: dict[str, Tensor] = {}
        notes: list[CheckpointNote] = []
        for number, node in enumerate(nodes):
            node.parts.learner.save(_progress(node, round_number))
            checkpoint = _kept(node)
            notes.append(checkpoint.note)
            tensors |= {f"{number}/{name}": t for name, t in checkpoint.tensors.items()}
        pools = tuple(node.parts.pool.snapshot() for node in nodes)
        swarm = rollouts.newest, rollouts.shared, rollouts.handed, rollouts.copied
        words = _Words(round_number, tuple(notes), pools, *swarm)
        metadata = {"words": msgspec.json.encode(words).decode()}
        replace_file(self.path, save(tensors, metadata))

    def restore(self, nodes: Sequence[LabNode], rollouts: SharedRollouts) -> int:
        """Put nodes and swarm back to where they were; the round reached, 0 without a file.

        Raises:
            LabError: it is damaged, or it is another experiment's; the nodes are of no use then.
        """
        if not self.path.exists():
            return 0
        words, tensors = self._read()
        if not len(nodes) == len(words.notes) == len(words.pools):
            raise self._foreign()
        for number, (node, note, pool) in enumerate(
            zip(nodes, words.notes, words.pools, strict=True)
        ):
            node.store.checkpoint = Checkpoint(note, _below(tensors, f"{number}/"))
            self._resume(node, words.round)
            node.parts.pool.restore(pool)
        rollouts.newest, rollouts.shared = dict(words.newest), dict(words.shared)
        rollouts.handed, rollouts.copied = dict(words.handed), dict(words.copied)
        return words.round

    def _read(self) -> tuple[_Words, dict[str, Tensor]]:
        try:
            with safe_open(self.path, framework="pt") as file:
                metadata = file.metadata() or {}
                tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118 - no mapping
            return msgspec.json.decode(metadata.get("words", ""), type=_Words), tensors
        except (OSError, SafetensorError, msgspec.MsgspecError, ValueError) as error:
            raise damaged(self.path) from error

    def _resume(self, node: LabNode, round_number: int) -> None:
        try:
            progress = node.parts.learner.resume()
        except CheckpointError as error:
            raise self._foreign() from error
        except KeyError as error:  # a tensor is not there
            raise damaged(self.path) from error
        skills = node.parts.skills
        if progress is not None:
            skills.restore(progress)
            node.parts.taught.restore(progress.taught, progress.cells)
        if progress != _progress(node, round_number):
            raise self._foreign()

    def _foreign(self) -> LabError:
        return LabError(
            f"{self.path} was left by another experiment, or with models that were made again "
            "since. Move its folder away and start the same command again."
        )


def _progress(node: LabNode, round_number: int) -> Progress:
    begun = Progress(node.plan.seed, 0, node.plan.recipe)
    return node.parts.progress(begun, round_number)


def _kept(node: LabNode) -> Checkpoint:
    checkpoint = node.store.checkpoint
    assert checkpoint is not None, "a learner that saved left nothing"  # noqa: S101
    return checkpoint


def _below(tensors: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
