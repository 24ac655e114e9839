"""Homes with a model of the catalogue in its true shape, whose weights are random.

What it says earns nothing, so it practises a deck that teaches: where all own answers fail, the
deck shows its own, and that is learnt from. Answers of random weights never end by themselves, so
that every one is as long as it may be; questions are as long as ``PROMPT_TOKENS``.
"""

import hashlib
from pathlib import Path

from msgspec.structs import replace

from core.bench.random_models import build_random_model
from core.decks.deck import FORMAT, Deck, Flashcard, encode_deck
from core.decks.library import DeckLibrary, InstalledDeck
from core.models.catalog.catalog import load_models
from core.models.catalog.library import Library
from core.models.catalog.manifest import FileRecord, Manifest
from core.models.memory.fit import PROMPT_TOKENS
from core.models.policy.language import Language, read_language
from core.paths import RESOURCES, Home
from core.settings import PracticeSettings, Settings, WindowSettings, load_settings, save_settings
from tests.chat_templates import CHATML

QUESTIONS = 64


def install_random_model(home: Home, model_id: str) -> None:
    """Put the model ``model_id`` into ``home`` as if it had been fetched."""
    spec, library = load_models().get(model_id), Library(home.models)
    with library.draft(model_id) as draft:
        build_random_model(replace(spec, folder=draft))
        (draft / "chat_template.jinja").write_text(CHATML, "ascii")
        (draft / "done").unlink()
        records = tuple(map(_record, sorted(path for path in draft.iterdir() if path.is_file())))
        library.publish(draft, Manifest(model_id, spec.repo or "", "0" * 40, records))


def install_teaching_deck(home: Home) -> InstalledDeck:
    """A deck whose questions take ``PROMPT_TOKENS`` in the tokens of the starters."""
    language = read_language(RESOURCES / "models" / "spark", chat=False)
    cards = tuple(
        Flashcard(_long_question(number, language), ("yes",)) for number in range(QUESTIONS)
    )
    deck = Deck(format=FORMAT, name="long questions", matcher="text", cards=cards)
    return DeckLibrary(home.decks).install(encode_deck(deck))


def choose_random_model(home: Home, model_id: str) -> None:
    """Let whoever opens ``home`` practise the deck with ``model_id``, and nothing else."""
    home.prepare()
    install_random_model(home, model_id)
    deck = install_teaching_deck(home)
    settings = load_settings(home.settings)
    chosen = Settings(
        practice=PracticeSettings(kinds=(deck.task,)),
        compute=replace(settings.compute, threads=1),
        rules=settings.rules,
        swarm=settings.swarm,
        window=WindowSettings(consent=True, model=model_id),
    )
    save_settings(chosen, home.settings)


def _long_question(number: int, language: Language) -> str:
    words = f"Is {number} a number?"
    while len(language.encode_prompt(f"{words} Yes?")) < PROMPT_TOKENS:
        words += " Yes?"
    return words


def _record(path: Path) -> FileRecord:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return FileRecord(path.name, path.stat().st_size, "sha256", digest.hexdigest())
