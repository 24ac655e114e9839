"""The file for whoever helps: enough to help with, and nothing private."""

import getpass
import json
import platform
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.api.maintenance import Finding
from core.errors import HomeError
from core.paths import Home
from core.services.support_file import LINES, MOST_LOG_BYTES, redacted, write_support_file
from core.wire.identity import load_or_create_identity
from core.wire.invite import VERSION, Invite, InvitedHub, write_invite
from core.wire.secrecy import new_secret

FINDINGS = [Finding("disk", ok=True, words="fine at 192.168.1.7")]
SECRETS = (
    "192.168.1.7",
    "203.0.113.255",
    "fe80::1%eth0",
    "2001:db8::7334",
    "::1",
    "a1" * 32,
    "hf_abcdefghijKLMNOP",
    "ghp_0123456789abcdef",
    "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
)


def contents(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        return {name: file.read(name).decode() for name in file.namelist()}


def written(home: Home, log: str = "") -> tuple[str, dict[str, str]]:
    """Its words, and what is inside."""
    (home.logs / "engine.log").write_text(log)
    path = home.root / "help.zip"
    return write_support_file(path, home, FINDINGS), contents(path)


def test_what_is_inside_is_told_and_there(home: Home) -> None:
    """Findings, versions and the last lines of the log, and a page that says so."""
    log = "".join(f"line {number}\n" for number in range(LINES + 50))
    words, parts = written(home, log)
    expected = {"README.txt", "findings.json", "versions.txt", "log.txt", "helper.txt", "ends.txt"}
    assert set(parts) == expected
    assert f"the last {LINES} lines" in words
    assert f"the last {LINES} lines" in parts["README.txt"]
    assert parts["log.txt"].splitlines()[0] == "line 50"
    assert parts["log.txt"].splitlines()[-1] == f"line {LINES + 49}"
    assert json.loads(parts["findings.json"])[0]["words"] == "fine at [address]"
    assert f"Python {platform.python_version()}" in parts["versions.txt"]
    assert "aiohttp 3." in parts["versions.txt"]


def test_nothing_private_is_inside(home: Home) -> None:
    """Neither the key nor the invite of the settings, nor what the log says of others."""
    identity = load_or_create_identity(home.identity)
    link = write_invite(Invite(VERSION, "our-class", (), new_secret()))
    home.settings.write_text(f'[swarm]\nname = "{link}"\n')
    log = "\n".join(f"12:34:56 met {secret} there" for secret in (*SECRETS, identity.peer_id, link))
    _, parts = written(home, f"{log}\nopened {home.root}/x by Bearer abc.def-123\n")
    everything = "".join(parts.values())
    private = (*SECRETS, identity.peer_id, link, str(home.root), "abc.def-123")
    assert [one for one in private if one in everything] == []
    assert identity.key.private_bytes_raw().hex() not in everything
    assert home.identity.read_text().splitlines()[1] not in everything
    assert parts["log.txt"].count("12:34:56 met [") == len(SECRETS) + 2, "the rest is legible"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("http://192.168.1.5:8765/healthz", "[address]"),
        ("at http://myhouse.example:8765: refused", "at [address] refused"),
        ("[2001:db8::1]:443", "[[address]]:443"),
        ("Cannot connect to host hub.example.org:8443 ssl", "Cannot connect to host [address] ssl"),
        ("Cannot connect to host myhub", "Cannot connect to host [address]"),
        ("of hub.example.org:8443, refused", "of [address], refused"),
        ("to ::ffff:192.168.1.5 or ::ffff:0.0.0.0", "to [address] or [address]"),
        (
            "File core/net/asking.py:12, tokenizer.json",
            "File core/net/asking.py:12, tokenizer.json",
        ),
        ("at fe80::1: refused", "at [address]: refused"),
        ("at 12:34:56,789 INFO core.swarm: a: b", "at 12:34:56,789 INFO core.swarm: a: b"),
        ("https://anne:pw@hub.example.org", "[address]"),
        ("url='http://anne:it's\"me@proxy:3128'", "url='[address]'"),
        ("token=abc123", "[token]"),
        ('{"password": "abc123"}', '{"[token]'),
        ("HF_TOKEN=abc123 set", "HF_[token] set"),
        ("access_token=abc123&x", "access_[token]"),
        ("api_token: abc123", "api_[token]"),
        ("github_pat_11ABCDEFG0 and ghr_0123456789", "[token] and [token]"),
        ("AWS_SECRET_ACCESS_KEY=abc+1 set", "AWS_[token] set"),
        ("SECRET_KEY=abc, api_key_id: 'abc'", "[token] [token]"),
        ("HUGGINGFACE_TOKEN_READ=abc", "HUGGINGFACE_[token]"),
        ("WAGGLE_KEY_PASSPHRASE=abc", "WAGGLE_KEY_[token]"),
        ("the token_ids are 7, max_tokens=8", "the token_ids are 7, max_tokens=8"),
        ("Authorization: Basic YTpi, sent\nwell", "[token]\nwell"),
        ('Authorization: Digest username="ann", uri="/x", response="abc"', "[token]"),
        ("'Proxy-Authorization': 'Basic YTpi'", "'Proxy-[token]"),
        ("wss://hub.example/live, redis://db/0", "[address] [address]"),
        ("found Annes-MacBook.local. at 3", "found [address] at 3"),
        ("nas.home.arpa, box.fritz.box: nas.lan.", "[address], [address]: [address]"),
        ("core.hub.local_decks, local. Then", "core.hub.local_decks, local. Then"),
        ("core.swarm.lan: core.swarm.lan.door: x", "core.swarm.lan: core.swarm.lan.door: x"),
        ("of ann@localhost, once", "of [address], once"),
        ("of anne.example+x@mail.example.org, once", "of [address], once"),
        ("waggle://join/AbC-_9 was cut", "[invite] was cut"),
        ("torch 2.13.0, aiohttp 3.14.5", "torch 2.13.0, aiohttp 3.14.5"),
    ],
)
def test_what_is_taken_out(said: str, left: str) -> None:
    """Addresses, names and secrets; times, versions and words stay."""
    assert redacted(said, Home(Path("somewhere"))) == left


def test_the_names_of_person_and_computer_are_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand in paths and errors, where nobody thinks of them."""
    monkeypatch.setattr(getpass, "getuser", lambda: "anne")
    monkeypatch.setattr(platform, "node", lambda: "annes-laptop")
    text = f"{Path.home()}/x of Anne at annes-laptop, not of joanne"
    assert redacted(text, Home(Path("none"))) == "[user]/x of [name] at [name], not of joanne"


def test_names_of_other_computers_are_taken_out_wherever_they_stand(home: Home) -> None:
    """Known from the settings, the invite in them, or an address in another line."""
    invite = Invite(VERSION, "our-class", (InvitedHub("http://classroom:8765"),), new_secret())
    home.settings.write_text(
        f'[swarm]\nname = "{write_invite(invite)}"\nhubs = ["https://hub.example"]\n'
        '[network]\nproxy = "http://proxyhouse:3128"\n'
    )
    log = "asked http://elsewhere:1/x\nhub.example, classroom, proxyhouse, elsewhere: no answer"
    _, parts = written(home, log)
    everything = "".join(parts.values())
    for name in ("hub.example", "classroom", "proxyhouse", "elsewhere"):
        assert name not in everything
    assert "[address], [address], [address], [address]: no answer" in parts["log.txt"]


def test_a_name_within_another_leaves_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers are often named after their people."""
    monkeypatch.setattr(getpass, "getuser", lambda: "anne")
    monkeypatch.setattr(platform, "node", lambda: "anne-laptop.kings-road.example")
    for text in ("ANNE-LAPTOP", "anne-laptop.kings-road.example", "anne"):
        assert redacted(text, Home(Path("none"))) == "[name]"


@given(st.ip_addresses())
def test_every_address_is_taken_out(address: object) -> None:
    """Whatever it is, as Python writes it."""
    text = f"connect to {address} failed"
    assert redacted(text, Home(Path("none"))) == "connect to [address] failed"


def test_a_giant_log_is_not_read_whole(home: Home) -> None:
    """Only its end is of interest."""
    _, parts = written(home, "x" * (2 * MOST_LOG_BYTES) + "\nthe end\n")
    assert parts["log.txt"].endswith("the end\n")
    assert len(parts["log.txt"]) <= MOST_LOG_BYTES + 10


@pytest.mark.parametrize(
    "run", ["a.", "a", ":a ", "::", "a+", "1.", "host a.", "://a", "token ", "token_", "a@", "@a."]
)
def test_a_log_full_of_one_thing_is_little_work(run: str) -> None:
    """Whoever made it so long: what was the square of it took a minute."""
    before = time.process_time()
    redacted(run * (MOST_LOG_BYTES // 4 // len(run)), Home(Path("none")))
    assert time.process_time() - before < 5


def test_other_logs_and_last_words_are_there_too(home: Home) -> None:
    """What was printed before a crash stands in no other log; redacted as the engine's is."""
    (home.logs / "helper.log").write_text("asked 192.168.1.7\n")
    for name in ("engine", "helper"):
        (home.logs / f"{name}-output.log").write_text(f"{name} at 192.168.1.7\n")
    _, parts = written(home)
    assert parts["helper.txt"] == "asked [address]\n"
    assert parts["ends.txt"] == "engine at [address]\nhelper at [address]\n"


def test_a_library_without_a_name_is_passed_over(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As half an installation leaves it; there may be several."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.dist-info").mkdir()
        (tmp_path / f"{name}.dist-info" / "METADATA").write_text("Summary: nothing\n")
    monkeypatch.syspath_prepend(tmp_path)
    _, parts = written(home)
    assert "aiohttp 3." in parts["versions.txt"]


def test_without_a_log_there_is_still_something_to_say(tmp_path: Path) -> None:
    """A home that was never used has none."""
    words = write_support_file(tmp_path / "help.zip", Home(tmp_path / "none"), FINDINGS)
    assert "the last 0 lines" in words


def test_what_cannot_be_written_is_explained(tmp_path: Path) -> None:
    """One sentence, and what to do."""
    with pytest.raises(HomeError, match=r"cannot be written .* Choose another"):
        write_support_file(tmp_path / "no" / "help.zip", Home(tmp_path), FINDINGS)
