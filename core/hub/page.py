"""The hub's page for people: read-only, one file, no scripts, nothing loaded from anywhere."""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from typing import Final

from core.hub.census import SwarmView, View
from core.paths import RESOURCES

MOST_SHOWN: Final = 50

_TEMPLATE: Final = RESOURCES / "hub" / "page.html"


def render_page(view: View) -> str:
    """The hub's page about ``view`` as HTML."""
    shown = view.swarms[:MOST_SHOWN]
    cards = "\n".join(_card(swarm) for swarm in shown) or _NOBODY
    more = len(view.swarms) - len(shown)
    others = [_count(number, kind) for number, kind in ((more, "more"), (view.private, "private"))]
    notes = " and ".join(filter(None, others))
    note = f'<p class="note">And {notes}.</p>' if notes else ""
    return _template().replace("<!-- swarms -->", cards).replace("<!-- note -->", note)


def _count(number: int, kind: str) -> str:
    """A number of further swarms in words; empty where there are none."""
    return f"{number:,} {kind} {'swarm' if number == 1 else 'swarms'}" if number else ""


@cache
def security_headers() -> Mapping[str, str]:
    """HTTP headers by which a browser shows the page with its own style, and does nothing else."""
    style = re.search(r"<style>(.*?)</style>", _template(), flags=re.DOTALL)
    digest = hashlib.sha256(style[1].encode() if style else b"").digest()
    allowed = f"style-src 'sha256-{base64.b64encode(digest).decode()}'"
    return {
        "Content-Security-Policy": f"default-src 'none'; {allowed}; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",
    }


@cache
def _template() -> str:
    return _TEMPLATE.read_text(encoding="utf-8")


_NOBODY: Final = '<p class="nobody">Nobody is here yet. The door is open.</p>'


def _card(swarm: SwarmView) -> str:
    score = "&ndash;" if swarm.score is None else f"{swarm.score:.0%}".replace("%", "&thinsp;%")
    nodes = "node" if swarm.nodes == 1 else "nodes"
    return (
        f"<section><h2>{escape(swarm.name)}</h2><dl>"
        f"<div><dt>puzzles solved</dt><dd>{score}</dd></div>"
        f"<div><dt>{nodes}</dt><dd>{swarm.nodes:,}</dd></div>"
        f"<div><dt>questions tried a minute</dt><dd>{swarm.groups_per_minute:,.0f}</dd></div>"
        "</dl></section>"
    )
