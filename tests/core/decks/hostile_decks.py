"""Decks, tables and expressions of people who are out for trouble: at least 200.

The code among them would create the file ``CANARY`` in the working folder if anything ran it. What
is large is made only when it is asked for.
"""

import itertools
import json
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import Final, NamedTuple
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import openpyxl

from core.decks.limits import MAX_DECK_BYTES

CANARY: Final = "canary-of-decks"

CODE: Final = (
    f"__import__('os').system('touch {CANARY}')",
    f"open('{CANARY}', 'w')",
    f"exec('open({CANARY!r}, 1)')",
    f"eval('open({CANARY!r}, 1)')",
    f"(lambda: open('{CANARY}', 'w'))()",
    f"[open('{CANARY}', 'w') for x in 'a']",
    "().__class__.__base__.__subclasses__()",
    "a.__class__.__mro__[1].__subclasses__()",
    "abs.__self__.open('canary-of-decks')",
    "abs.__globals__",
    "abs(a).__class__",
    "'{0.__class__}'.format(a)",
    "f'{a.__class__}'",
    "a.real.__class__",
    "max(a, key=abs)",
    "max(*'ab')",
    "abs(**{})",
    "(a := 1)",
    "a if (yield) else a",
    "await a",
    "lambda: 1",
    "{a: a}",
    "{a}",
    "[a]",
    "(a, a)",
    "a[0]",
    "a[::-1]",
    "a is a",
    "a in 'a'",
    "~a",
    "a @ a",
    "a << 10 ** 9",
    "a | a",
    "print(a)",
    "breakpoint()",
    "getattr(a, 'real')",
    "globals()",
    "type(a)",
    "abs",
    "abs(abs)",
    "(abs)(a)(a)",
    "__debug__",
    "__builtins__",
    "None",
    "...",
    "b'a'",
    "1j",
    "a; a",
    "a = 1",
    "import os",
    "a\nimport os",
    "# nothing",
    "",
)
"""What is more than reckoning."""

LONG: Final = (
    "'%s' % a",
    "9**9**9",
    "9**9**9**9",
    "10**100",
    "2**101",
    "(2**90)**90",
    "a**a**a",
    "10**10**10 % 7",
    "lcm(" + ",".join(str(10**9 + n) for n in range(15)) + ")",
    "10**29 * 10**29",
    "1e999",
    "9" * 200,
    "0." + "0" * 190 + "1",
    "1/3" * 40,
    "1_000",
    "0x" + "f" * 150,
    "-" * 199 + "1",
    "+" * 199 + "1",
    "not " * 49 + "a",
    "(" * 199,
    "(" * 99 + "a" + ")" * 99,
    "[" * 199,
    "abs(" * 49 + "a" + ")",
    "abs(" * 39 + "a" + ")" * 39,
    "+".join(["a"] * 100),
    "**".join(["a"] * 60),
    "<".join(["a"] * 100),
    "a if a else " * 16 + "a",
    "'" + "x" * 198 + "'",
    "reverse(" * 20 + "'x'" + ")" * 20,
    "'" * 200,
    "'''",
    "round(a, 10**9)",
    "round(a, -1)",
    "gcd()",
    "len('a', 'b')",
    "1 / 0",
    "0 ** -1",
    "a % 0",
    "max('a', 1)",
    "\\N{LATIN SMALL LETTER A}",
    "'\\ud800'",
    "\ud800",
    "\0",
    "a\0",
    "\x0c" * 150 + "a",
    " " * 201,
    "a\u200b",
    "\u202ea",
    "\uff41",
    "\u0661",
    "1if a else 2",
    "1.if a else 2",
    "1or 2",
    "\U0001d41a\U0001d41b\U0001d42c(a)",
)
"""What would be endless, huge or deep, has no result, or is read otherwise by another Python."""


class HostileFile(NamedTuple):
    """A file that somebody sends."""

    name: str
    make: Callable[[], bytes]


def _deck(**change: object) -> Callable[[], bytes]:
    plain: dict[str, object] = {
        "cards": [{"answers": ["1"], "question": "1?"}],
        "format": 1,
        "matcher": "text",
        "name": "a",
    }
    whole = {key: value for key, value in {**plain, **change}.items() if value is not None}
    return lambda: json.dumps(
        whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode("utf-8", "surrogatepass")


def _card(**change: object) -> Callable[[], bytes]:
    return _deck(cards=[{"answers": ["1"], "question": "1?", **change}])


def _template(**change: object) -> Callable[[], bytes]:
    plain = {
        "answer": "{a}",
        "question": "{a}?",
        "variables": {"a": {"high": 9, "low": 1, "step": 1, "type": "number"}},
    }
    return _deck(cards=None, templates=[{**plain, **change}])


_FORMATS: Final[tuple[object, ...]] = (0, 2, "1", 1.5, True, None, [], 10**400)
_NO_CARDS: Final[tuple[object, ...]] = ([], "x", {}, [[]], [1], None)
_NO_WORDS: Final[tuple[object, ...]] = ([], ["x"] * 201, ["x" * 121], [""], ["\u202e"], [[]], "x")


def hostile_decks() -> list[bytes]:
    """Bytes that say to be a deck."""
    number: dict[str, object] = {"high": 9, "low": 1, "step": 1, "type": "number"}
    makers: list[Callable[[], bytes]] = [
        lambda: b"[" * MAX_DECK_BYTES,
        lambda: b"{" * 100_000,
        lambda: b'{"a":' * 100_000,
        lambda: b'"' + b"\\u0041" * 1_000_000,
        lambda: b" " * (MAX_DECK_BYTES + 1),
        lambda: b"9" * 5_000_000,
        lambda: b"-" * 100,
        lambda: b'{"format":1e999}',
        lambda: b'{"format":' + b"9" * 5_000 + b"}",
        lambda: b"\x80\x04\x95",
        lambda: b"PK\x03\x04",
        lambda: b"\xff\xfe" + '{"format":1}'.encode("utf-16-le"),
        lambda: b"\xef\xbb\xbf" + _deck()(),
        lambda: _deck()() + b"\0",
        lambda: _deck()() * 2,
        lambda: _deck()().replace(b'"a"', b'"\\ud800"'),
        lambda: _deck()().replace(b'"a"', b'"\xed\xa0\x80"'),
        lambda: _deck()().replace(b'"a"', b'"\xc0\x80"'),
        lambda: b'{"' + b"x" * 1_000_000 + b'":1}',
        '{"\u202eformat":1}'.encode,
        *(_deck(format=value) for value in _FORMATS),
        *(_deck(matcher=value) for value in ("eval", "regex", "", "TEXT", 1, "text\u0000")),
        *(_deck(name=v) for v in ("", "x" * 81, "a\u202eb", " a", "a\u0000", "a\u001b[2J", None)),
        *(_deck(language=value) for value in ("de_AT", "x" * 36, "../..", "<b>", "d\u0435")),
        *(_deck(tolerance=v) for v in ("-1", "1e9", "nan", "9" * 13, "1/2", "", "\u0661", ".5")),
        *(_deck(cards=value) for value in _NO_CARDS),
        _deck(cards=[{"answers": ["1"], "question": "1?"}] * 100_001),
        _deck(cards=[*([{"answers": ["1"], "question": "x" * 3_000}] * 2_600), 0]),
        *(_card(answers=v) for v in ([], [""], ["1"] * 17, ["x" * 1_025], "1", [1], [" 1"])),
        *(_card(question=value) for value in ("", "x" * 4_001, "a\u0000", "\u2066a", "e\u0301", 1)),
        *(_card(level=value) for value in (0, 10, -1, 1.0, "1", 10**30, True)),
        *(_card(labels=value) for value in (["x"] * 65, [""], ["x" * 121], ["\u200b"])),
        _card(solution="x" * 4_001),
        _card(eval="1"),
        _card(level=9),
        _deck(templates=[0] * 1_000_000),
        lambda: json.dumps({"templates": [{}] * 201, "format": 1}).encode(),
        *(_template(variables={"a": {**number, **v}}) for v in (
            {"high": 10**15 + 1},
            {"low": -(10**400)},
            {"low": 10},
            {"step": 0},
            {"step": -1},
            {"type": "code"},
            {"words": ["x"]},
        )),
        *(_template(variables={"a": {"type": "word", "words": words}}) for words in _NO_WORDS),
        *(_template(variables={name: number}) for name in (
            "A", "", "a" * 17, "__class__", "a\n", "\u0430", "1a", "a.b",
        )),
        _template(variables={f"v{n}": number for n in range(17)}),
        *(_template(question=text) for text in (
            "{a", "a}", "{{a}", "{a}}", "{}", "{a!r}", "{a:>9999999999}", "{a[0]}",
            "{a}" * 33, "{{" * 1_999 + "{",
        )),
        *(_template(where=code) for code in CODE[:5]),
        *(_template(answer="{" + code + "}") for code in CODE[:5]),
        _deck(
            cards=None,
            templates=[
                {
                    "answer": "{a}",
                    "question": ("{" + "+".join(["a"] * 39) + "}") * 32 + str(n),
                    "variables": {"a": number},
                }
                for n in range(200)
            ],
        ),
    ]  # fmt: skip
    return [make() for make in makers]


def stubborn_decks() -> list[bytes]:
    """Decks that break no rule, and ask what hardly is to be found."""
    digits = {"high": 10**15, "low": 1, "step": 1, "type": "number"}
    never = "+".join(["a*a"] * 20) + "<0"
    wheres = [never, " and ".join(["a % 900 == 0"] * 12), "a < 1", "a / 0 > 1", "a == 7"]
    answers = ["{a / 0}", "{'x' * 3}", "{" + "*".join(["a"] * 39) + "}", "{(2 ** 99) ** 2}"]
    makers = [
        *(_template(variables={"a": digits}, where=where) for where in wheres),
        *(_template(variables={"a": digits}, answer=answer) for answer in answers),
        _template(question="{w}" * 32 + "x" * 999, variables={
            "a": digits, "w": {"type": "word", "words": ["y" * 120]},
        }),
    ]  # fmt: skip
    return [make() for make in makers]


def _csv(text: str, name: str = "a.csv") -> HostileFile:
    return HostileFile(name, lambda: text.encode("utf-8", "surrogatepass"))


def _workbook(*rows: tuple[object, ...]) -> bytes:
    book, out = openpyxl.Workbook(), BytesIO()
    for row in (("question", "answer"), *rows):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def _zipped(parts: dict[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", method) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()


def _with_part(name: str, part: bytes) -> bytes:
    with ZipFile(BytesIO(_workbook(("a", "b")))) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    return _zipped(parts | {name: part})


SHEET: Final = "xl/worksheets/sheet1.xml"
_OPEN: Final = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
)
_CLOSE: Final = b"</sheetData></worksheet>"
_LAUGHS: Final = ("".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))).encode()


def hostile_tables() -> Iterator[HostileFile]:
    """Files that say to be tables."""
    head = "question,answer\n"
    for formula in (
        "=1+1",
        '=HYPERLINK("http://a","b")',
        "=cmd|' /C calc'!A0",
        "@SUM(1+1)*cmd",
        "+1+cmd",
        "-2+3+cmd",
        "\t=1+1",
        '=WEBSERVICE("http://a")',
        '=IMPORTXML("http://a","//a")',
        '=DDE("cmd";"/C calc";"a")',
    ):
        yield _csv(f'{head}"{formula.replace(chr(34), chr(34) * 2)}",b\nq,a\n')
        yield HostileFile("a.xlsx", partial(_workbook, (formula, "b"), ("q", "a")))
    for markup in (
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<answer>4</answer>",
        "</answer><answer>",
        "[a](javascript:alert(1))",
        "{{ 7 * 7 }}",
        "${jndi:ldap://127.0.0.1/a}",
        "%s%s%s%n",
        "../../../../etc/passwd",
        "file:///etc/passwd",
        "\x1b]0;owned\x07",
        "a\u202eb",
        "\u2066a",
        "a\u200bb",
        "a\ufeffb",
        "a\u00adb",
        "a\x08b",
        "a\u2028b",
        "e" + "\u0301" * 900,
        "\ufdfa" * 1_000,
    ):
        yield _csv(f"{head}{markup},b\nq,a\n")
    yield from _odd_texts(head)
    yield from _tables_of_templates()
    yield from _workbooks()


def _odd_texts(head: str) -> Iterator[HostileFile]:
    yield from itertools.starmap(
        HostileFile,
        [
            ("a.csv", lambda: b"\0" * 1_000_000),
            ("a.csv", lambda: head.encode() + b"a\0,b\n"),
            ("a.csv", ("q," * 1_000_000).encode),
            ("a.csv", ",".join(f"c{n}" for n in range(1_000_000)).encode),
            ("a.csv", lambda: b"," * MAX_DECK_BYTES),
            ("a.csv", lambda: b"\n" * 1_500_000),
            ("a.csv", lambda: b"a\n" * 150_000),
            ("a.csv", lambda: b'"' * 1_000_001),
            ("a.csv", lambda: head.encode() + b'"' + b"x" * 4_000_000),
            ("a.csv", lambda: head.encode() + b"x" * 140_000 + b",b\n"),
            ("a.csv", lambda: b'sep="\na"b'),
            ("a.csv", lambda: b"sep=\n"),
            ("a.csv", lambda: b"\xff\xfe" + b"a" * 999),
            ("a.csv", lambda: b"\xfe\xff\xd8\x00"),
            ("a.csv", lambda: b"\xef\xbb\xbf"),
            ("a.csv", lambda: b""),
            ("a.csv", lambda: b" " * (MAX_DECK_BYTES + 1)),
            ("a.csv", lambda: b"\x81\x8d\x8f"),
            ("a.csv", lambda: b"\xd0\xcf\x11\xe0" + b"\0" * 512),
            ("a.csv", lambda: b"%PDF-1.7\n"),
            ("a.csv", lambda: b"\x1f\x8b\x08" + b"\0" * 99),
            ("a.json", lambda: b"[" * 1_000_000),
            ("a.json", lambda: b'[{"a":' * 100_000),
            ("a.json", lambda: b"[" + b"{}," * 1_000_000 + b"{}]"),
            ("a.json", lambda: b'[{"question":{"a":1},"answer":1}]'),
            ("a.json", lambda: b'[{"question":[[1]],"answer":1}]'),
            ("a.json", lambda: b'[{"question":1e308,"answer":1}]'),
            ("a.json", lambda: b'[{"question":1e99999,"answer":1}]'),
            ("a.json", lambda: b'[{"question":' + b"9" * 100_000 + b',"answer":1}]'),
            ("a.json", lambda: b'[{"question":NaN,"answer":1}]'),
            ("a.json", lambda: b'[{"question":"\\ud800","answer":1}]'),
            ("a.json", lambda: b'[{"question":"\\u0000","answer":1}]'),
            ("a.json", lambda: b'[{"question":"\\u202ea","answer":1}]'),
            ("a.json", lambda: b'{"question":1}'),
            ("a.json", lambda: b"null"),
            ("a.json", lambda: json.dumps([{f"c{n}": 1 for n in range(500_000)}]).encode()),
            ("a.json", lambda: json.dumps([{f"c{n}": 1} for n in range(90_000)]).encode()),
            ("a.jsonl", lambda: b'{"question":1,"answer":1}\n' * 120_000),
            ("a.jsonl", lambda: b"{}\n" * 500_000),
            ("a.jsonl", lambda: b'{"question":1}\x00\n'),
        ],
    )  # fmt: skip


def _tables_of_templates() -> Iterator[HostileFile]:
    head = "question,answer,variables,where\n"
    wide = "a = 1..999999999999999; b = 1..999999999999999"
    for code in CODE[:5]:
        quoted = code.replace('"', '""')
        yield _csv(f'{head}{{a}}?,"{quoted}",a = 1..9,\n')
        yield _csv(f'{head}"{{{quoted}}}?",a,a = 1..9,\n')
        yield _csv(f'{head}{{a}}?,a,a = 1..9,"{quoted}"\n')
    for variables in (
        "a = 1..",
        "a = 9..1",
        "a = 1..9 step 0",
        "a = 1..9 step 99999999999999999",
        "a = 1.." + "9" * 400,
        "__class__ = 1..9",
        "A = 1..9",
        "a = 1..9; a = 1..9",
        "; ".join(f"v{n} = 1..9" for n in range(17)),
        "a = " + " / ".join(["x"] * 201),
        "a = " + "x" * 121,
        "a = /",
        "a == 1",
        ";;;",
        "a = __import__('os')",
        "a = " + "1.." * 999,
        "\u0430 = 1..9",
    ):
        yield _csv(f'{head}{{a}}?,a,"{variables}",\n')
    never = "+".join(["a*b"] * 20) + " < 0"
    rarely = " and ".join(["a % 900 == 0"] * 12)
    yield HostileFile("never.csv", (head + f"{{a}}?,a,{wide},{never}\n" * 100 + "q,a,,\n").encode)
    yield HostileFile(
        "never-differently.csv",
        (head + "".join(f"{{a}} {n}?,a,{wide},{never}\n" for n in range(60_000))).encode,
    )
    yield HostileFile(
        "rarely.csv",
        (head + "".join(f"{{a}} {n}?,a,{wide},{rarely}\n" for n in range(199))).encode,
    )
    blank = "{" + "+".join(["a"] * 39) + "}"
    yield HostileFile(
        "blanks.csv",
        (head + "".join(f"{blank * 32} {n}?,a,{wide},\n" for n in range(199))).encode,
    )
    yield HostileFile(
        "bad-blanks.csv",
        (head + "".join(f"{blank * 31}{{c}} {n}?,a,{wide},\n" for n in range(199))).encode,
    )
    yield HostileFile(
        "no-result.csv",
        (head + "".join(f"{{a / 0}} {n}?,a,{wide},\n" for n in range(199))).encode,
    )


def _workbooks() -> Iterator[HostileFile]:
    huge = b" " * (4 * MAX_DECK_BYTES + 1)
    row = b'<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>'
    parts: list[Callable[[], bytes]] = [
        lambda: b"PK\x03\x04",
        lambda: b"PK" + b"\0" * 1_000_000,
        lambda: _workbook(("a", "b"))[:-20],
        lambda: _workbook(("a", "b"))[:200],
        lambda: _zipped({}),
        lambda: _zipped({"a": b"a"}),
        lambda: _zipped({str(n): b"" for n in range(2_000)}),
        lambda: _zipped({"a": huge}),
        lambda: _zipped({"a": huge}, ZIP_BZIP2),
        lambda: _zipped({"a": huge}, ZIP_LZMA),
        lambda: _zipped({"../../a": b"a"}, ZIP_STORED),
        lambda: _zipped({"/etc/a": b"a", "[Content_Types].xml": b""}, ZIP_STORED),
        lambda: _zipped({"a.xlsx": _zipped({"a": b" " * 9_000_000})}, ZIP_STORED),
        *(
            partial(_with_part, SHEET, part)
            for part in (
                b"",
                b"<",
                b"\0",
                huge,
                b"<a>" * 250_000,
                _OPEN + b"<x/>" * 4_100_000 + _CLOSE,
                _OPEN + b'<row r="1"><c r="ZZZ1"/></row>' * 2_000 + _CLOSE,
                _OPEN + b'<row r="999999999"><c r="A999999999"/></row>' + row + _CLOSE,
                _OPEN + b'<row r="-1"><c r="A-1"><v>1</v></c></row>' + _CLOSE,
                _OPEN + b'<row r="1"><c r="A1"><v>' + b"9" * 5_000 + b"</v></c></row>" + _CLOSE,
                _OPEN + b'<row r="1"><c r="A1"><v>1e999</v></c></row>' + row + _CLOSE,
                _OPEN + b'<row r="1"><c r="A1" t="s"><v>99</v></c></row>' + _CLOSE,
                _OPEN + b'<row r="1"><c r="A1" t="d"><v>99</v></c></row>' + _CLOSE,
                _OPEN + b'<row r="1"><c r="A1"><f>1+1</f></c></row>' + _CLOSE,
                b'<!DOCTYPE a [<!ENTITY l0 "ha">' + _LAUGHS + b"]><a>&l9;</a>",
                b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
                b'<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><a>&a;</a>',
                b'<?xml version="1.0" encoding="utf-7"?><a/>',
                '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'.encode("utf-16"),
                b"<a " + b"".join(b'x%d="" ' % n for n in range(200_000)) + b"/>",
            )
        ),
        lambda: _with_part("xl/workbook.xml", b"<workbook/>"),
        lambda: _with_part("xl/workbook.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a/>'),
        lambda: _with_part("[Content_Types].xml", b"<a/>"),
        lambda: _with_part("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0"),
        lambda: _with_part("xl/externalLinks/externalLink1.xml", b"<a/>"),
        lambda: _workbook(*[("x" * 9_000,) * 20] * 60),
        lambda: _workbook(tuple(range(200))),
    ]  # fmt: skip
    for part in parts:
        yield HostileFile("a.xlsx", part)
