"""Putting protections on, and saying so truthfully; what they prevent is in test_isolation."""

import errno
import os
from functools import partial

from core.i18n import spell
from core.tasks.confinement import (
    PROMISES,
    Confinement,
    Layer,
    Missing,
    Promise,
    confine,
    layers_here,
)


def refuse() -> None:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


def fail() -> None:
    raise ValueError("not allowed to raise maximum limit")


def agree() -> None:
    pass


def test_a_promise_holds_as_soon_as_one_layer_does() -> None:
    """The refusal of one layer does not matter where another gives the same."""
    confinement = confine(
        [
            Layer((Promise.NETWORK,), refuse),
            Layer((Promise.NETWORK, Promise.FILES), agree),
            Layer((Promise.FILES,), fail),
        ]
    )
    assert confinement.active == (Promise.NETWORK, Promise.FILES)


def test_what_is_missing_is_said_with_its_reason() -> None:
    """The system's own words, or none where there is no layer for it here."""
    confinement = confine([Layer((Promise.NETWORK,), refuse), Layer((Promise.MEMORY,), fail)])
    assert confinement.active == ()
    assert len(confinement.missing) == len(PROMISES)
    assert Missing(Promise.NETWORK, "Operation not permitted") in confinement.missing
    assert Missing(Promise.MEMORY, "not allowed to raise maximum limit") in confinement.missing
    assert Missing(Promise.FILES) in confinement.missing


def test_it_is_told_in_sentences_that_can_be_translated() -> None:
    """Of what holds and of what does not, every part is a text of its own but the system's."""
    words = Confinement(
        (Promise.PROGRAMS, Promise.MEMORY),
        (Missing(Promise.NETWORK, "refused"), Missing(Promise.FILES)),
    ).in_words()
    assert words == (
        "answers of others are judged in a process of its own: "
        "cannot start programs, memory limit 1 GB. Not to be had here: "
        "no network (refused), no access to files (not available on this system)."
    )
    assert spell(words.remarks, lambda text: "<>" if "{" not in text else text) == (
        "answers of others are judged in a process of its own: "
        "<>, memory limit 1 GB. Not to be had here: <> (refused), <> (<>)."
    )
    assert "none" in Confinement((), ()).in_words()


def test_layers_go_on_in_their_order() -> None:
    """The filter that forbids putting on others must be able to come last."""
    order: list[str] = []
    confine([Layer((promise,), partial(order.append, promise)) for promise in PROMISES])
    assert order == list(PROMISES)


def test_this_system_has_layers_and_all_their_promises_are_known() -> None:
    """No layer promises what the report would not mention."""
    layers = layers_here()
    assert layers
    assert {promise for layer in layers for promise in layer.promises} <= set(PROMISES)
