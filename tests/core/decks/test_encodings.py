"""Letters of text files: as they were written, wherever that was."""

# ruff: noqa: RUF001 - that is how it is written

import pytest

from core.decks.encodings import decoded
from core.errors import DeckError

WESTERN = {
    "German": "Frage;Antwort\nfür Käse?;größer\n",
    "Spanish": "¿Cuál es la capital de España?;Madrid\n¿Qué día?;sábado\n",
    "French": "À quelle heure a-t-il été créé ?;« À l’été »\nœuvre;cœur\nça;garçon\n",
    "Portuguese": "São Paulo;cidade\nNão há coração;mãe e avó\n",
    "Swedish": "Kök;kitchen\nÅr;year\nsmörgås;sandwich\n",
    "Danish": "rødgrød med fløde;blåbær\n",
    "Italian": "perché;città\nè più;così\n",
    "Finnish": "Äiti on täällä;yö\n",
}


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
@pytest.mark.parametrize("text", WESTERN.values(), ids=list(WESTERN))
def test_western_letters_are_those_of_windows_or_of_a_mac(
    text: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Excel writes either as CSV; whichever looks less odd it is."""
    monkeypatch.setattr("locale.getencoding", lambda: "utf-8")
    assert decoded(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "text",
    [
        "it’s “good” – isn’t it — don’t…;yes\n",
        "word—word—word;a•b\n",
        "Žižek’s œuvre;Œdipus\n",
        "5 € at 20°C;5×4 m²/h\n",
        "café;Waggle™\n",
        "Poblacht na hÉireann;Ireland – “Éire” – 5 €\n",
        "Pepsi™Cola;soda\n",
        "File»Open;Menü»Datei öffnen\n",
        "a – b;“Yes”\nÉcole…;hÉireann\n",
    ],
)
def test_quotes_and_dashes_of_windows_stay_what_they_are(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though a Mac has letters in their place."""
    monkeypatch.setattr("locale.getencoding", lambda: "utf-8")
    assert decoded(text.encode("cp1252")) == text


@pytest.mark.parametrize("data", [b"\x81\x8d\x8f", b"\x81\xff", b"a\0b", b"\xff\xfea"])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    """Not every byte is a letter, though a Mac has one for each."""
    with pytest.raises(DeckError, match="neither text"):
        decoded(data)
