"""Answers of people who are out for trouble: at least 200 that reach a verifier.

The code among them would create the file ``canary`` if anything ran it.
"""
# ruff: noqa: RUF001 - characters that are mistaken for others are what it is about

import itertools
from pathlib import Path

from core.tasks.verifiers import MAX_ANSWER
from core.wire.codec import MAX_ENVELOPE_BYTES

DEEP = MAX_ANSWER // 2 - 1  # levels of nesting, opened and closed, that fit an answer


def hostile_answers(canary: Path) -> list[str]:
    """All hostile answers that a judge gets to see, without repetition, in a fixed order."""
    answers = (
        *injections(str(canary)),
        *arithmetic_bombs(),
        *nesting_bombs(),
        *logic_bombs(),
        *pattern_bombs(),
        *markup_bombs(),
        *numbers_that_are_none(),
        *characters(),
        *documents(),
        *gibberish(),
    )
    return list(dict.fromkeys(answer[:MAX_ANSWER] for answer in answers))


def unsendable_answers() -> list[str]:
    """Answers that are wrong before anyone looks at them: too long, or without a form in bytes."""
    lone = ("\ud800", "\udfff", "4\udc80", "\ude00\ud83d", "1\n\ud8002")
    much = 2 * MAX_ENVELOPE_BYTES
    long = ("9", "(", "<answer>", " ", "\0", "1\n", "P ∨ ", "\U0001f41d")
    return [*lone, *(text * (much // len(text)) for text in long), "9" * (MAX_ANSWER + 1)]


def injections(canary: str) -> list[str]:
    """Python, sympy, shell, template and query code, alone and dressed as an answer."""
    write = f"open({canary!r},'w').write('x')"
    code = (
        write,
        f"__import__('os').system('touch {canary}')",
        f"__import__('pathlib').Path({canary!r}).touch()",
        f'exec("{write}")',
        f"eval(compile(\"{write}\",'a','eval'))",
        f"(lambda: {write})()",
        f"[x for x in [{write}]]",
        f"().__class__.__base__.__subclasses__()[0] or {write}",
        f"breakpoint() or {write}",
        f'sympify("{write}")',
        f"Function('f')({write})",
        f"Symbol('x').__class__.__init__.__globals__['__builtins__']['open']({canary!r},'w')",
        f"Integer(1) + int({write})",
        f"{{1: {write}}}",
        f"f'{{{write}}}'",
    )
    dress = ("{}", "[{}]", "{} + 0", "4 # {}", "4\n{}", "<answer>{}</answer>", "P and {}", "1/{}")
    others = (
        f"$(touch {canary})",
        f"`touch {canary}`",
        f"4; touch {canary}",
        f"| touch {canary}",
        f"{{{{ cycler.__init__.__globals__.os.system('touch {canary}') }}}}",
        f"!!python/object/apply:os.system ['touch {canary}']",
        f"cos\nsystem\n(S'touch {canary}'\ntR.",
        f"ATTACH DATABASE '{canary}' AS a; CREATE TABLE a.b (c)",
        f"%x(touch {canary})",
        f"<?php file_put_contents('{canary}', 'x'); ?>",
        "../../../../etc/passwd",
        "file:///etc/passwd",
        "%s%s%s%n",
        "{0.__class__.__init__.__globals__}",
        "${jndi:ldap://127.0.0.1/a}",
        "'; DROP TABLE rounds; --",
    )
    return [*(d.format(c) for c, d in itertools.product(code, dress)), *others]


def arithmetic_bombs() -> list[str]:
    """A few characters that are much work or much memory to evaluate."""
    return [
        "9**9**9",
        "9^9^9^9",
        "9**9**9**9 - 9**9**9**9",
        "10**10**10",
        "2**(2**(2**(2**(2**2))))",
        "(9**9**9) % 7",
        "factorial(99999999)",
        "factorial(factorial(99))",
        "99999999!",
        "99!!!!!!!!",
        "sum(range(10**12))",
        "list(range(10**12))",
        "'a' * 10**12",
        "[0] * 10**12",
        "1 << 10**12",
        "1e999999999",
        "1e-999999999",
        "1E+99999999999999999999",
        "9" * MAX_ANSWER,
        "-" + "9" * (MAX_ANSWER - 1),
        "0." + "0" * (MAX_ANSWER - 3) + "1",
        "9" * 1000 + "/" + "7" * 1000,
        "1/" + "9" * 2000,
        "9" * 1000 + "e" + "9" * 1000,
        "9" * 4300,
        "1" + "0" * 2000 + ".0",
        "1+" * 1000 + "1",
        "1*" * 1000 + "1",
        "2**" * 600 + "2",
        "integrate(exp(sin(x**x))**x, x)",
        "solve(x**99 - x - 1, x)",
        "nextprime(10**999)",
        "factorint(10**99 + 7)",
        "Permutation(range(10**9))",
    ]


def nesting_bombs() -> list[str]:
    """Deeper than a recursive reader can follow."""
    pairs = tuple(map(tuple, ("()", "[]", "{}", "<>", "（）", "“”")))
    nested = [a * DEEP + "1" + b * DEEP for a, b in pairs]
    open_only = [a * MAX_ANSWER for a, _ in pairs]
    signs = [sign * (MAX_ANSWER - 1) + "1" for sign in ("-", "+", "~", "!", "¬", "not ", "−")]
    return [*nested, *open_only, *signs, "[[" * 500 + "]" * 500, "lambda:" * 250 + "0"]


def logic_bombs() -> list[str]:
    """Formulas whose truth tables would have up to 2^400 rows, and malformed ones."""
    names = [f"P{n}" for n in range(400)]
    letters = [chr(code) for code in range(ord("A"), ord("Z") + 1)]
    bombs = [
        sign.join(some)[:MAX_ANSWER].rsplit(sign, 1)[0]
        for sign in (" ∨ ", " ∧ ", " → ", " ↔ ", " | ", " & ", " >> ", " ^ ", " or ", " xor ")
        for some in (letters, names)
    ]
    return [
        *bombs,
        "(" + ") ∧ (".join(f"{a} ∨ {b}" for a, b in itertools.combinations(letters[:12], 2)) + ")",
        "(P → Q)" * 200,
        "P ∨ ¬P",
        "P ∧ ¬P",
        "⊤",
        "⊥",
        "∀x P(x)",
        "P ∨",
        "∨ P",
        "P Q",
        "()",
        "P ∨ (Q",
        "P) ∨ Q",
    ]


def pattern_bombs() -> list[str]:
    """Texts that make a careless regular expression or split run away."""
    half = MAX_ANSWER // 2
    return [
        "a" * (MAX_ANSWER - 1) + "!",
        " " * MAX_ANSWER,
        " " * half + "x" + " " * (half - 1),
        "\t" * MAX_ANSWER,
        "\n" * MAX_ANSWER,
        "\r\n" * half,
        "\u3000" * MAX_ANSWER,
        "<answer>" * (MAX_ANSWER // 8),
        "<answer>" * 100 + "4" + "</answer>" * 100,
        "0 " * half,
        "1\n" * half,
        "1," * half,
        ", " * half,
        "1 1\n" * (MAX_ANSWER // 4),
        "0\n0 0\n0 0 0\n",
        "1." * half,
        "." * MAX_ANSWER,
        "/" * MAX_ANSWER,
        "1/" * half,
        "-1-" * 600,
        "_1" * half,
        "1_" * half,
        "2024-" * 400,
        "\\" * MAX_ANSWER,
        "'" * MAX_ANSWER,
        '"' * MAX_ANSWER,
        "\\frac{1}{2}" * 180,
        "\\frac" * 400,
        "{" * half + "}" * half,
        "aA" * half,
    ]


def markup_bombs() -> list[str]:
    """Marks, tags and equations around nothing, around each other and around many answers."""
    half = MAX_ANSWER // 2
    return [
        "*" * MAX_ANSWER,
        "$" * MAX_ANSWER,
        "`" * MAX_ANSWER,
        "**" * (half // 2) + "4" + "**" * (half // 2 - 1),
        "\\boxed{" * 140,
        "\\boxed{" * 120 + "4" + "}" * 120,
        "\\(" * (half // 2) + "4" + "\\)" * (half // 2 - 1),
        "x=" * half,
        "x = y = 4",
        "x = " + "9" * 1000,
        "1" + ",000" * 255,
        "<ANSWER>" * 128,
        "</Answer><answer>" * 60,
        "<answer>and</answer>" * 51,
        "**4** or **5**",
        "$4$ $5$",
        "\\boxed{4} \\boxed{5}",
        "4. 5.",
    ]


def numbers_that_are_none() -> list[str]:
    """What some readers take for a number, or for every number at once."""
    return [
        "nan", "NaN", "-nan", "sNaN", "nan123", "inf", "Infinity", "-inf", "+Infinity", "1e400",
        "-1e400", "0/0", "1/0", "-1/0", "0/1/0", "1//0", "1%0", "0x10", "0b10", "0o10", "1_000",
        "1,000,000,000", "1e0", "0e0", "-0", "+0", "--1", "+-1", "1.", ".1", "1..2", "1/2/3",
        "-1/-2", "1/-2", "00000000000000000004", "4.0", "4.00000000000000000000000000001", "4j",
        "1+1j", "None", "null", "undefined", "True", "False", "true", "yes", "no", "[]", "{}",
        "''", "[1, 2", "1 2 3 4 5", "all of them", "any", "*", "?", ".*", "%", "1 or 2", "1|2|3",
        "0 1 2 3 4 5 6 7 8 9", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        "\uff14", "\uff0d\uff11\uff12", "\u0664\u0662", "\u0967\u0968", "\u00b2", "\u00bd",
        "\u2160", "\u4e00", "\u2460", "\U0001d7d2", "\u2212\u0034", "4\u20e3", "4\ufe0f",
    ]  # fmt: skip


def characters() -> list[str]:
    """Control, bidirectional, invisible, combining and unassigned characters around a number."""
    control = [f"4{chr(code)}2" for code in (*range(0x20), *range(0x7F, 0xA0))]
    invisible = (
        "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2028\u2029\u2060\u2066"
        "\u2067\u2068\u2069\u00ad\u034f\u061c\u115f\u180e\ufeff\ufff9\ufffc\ufffd\uffff\U0010ffff"
        "\U000e0041\ue000\ufdd0"
    )
    return [
        *control,
        *(f"{char}4" for char in invisible),
        "\0",
        "\0" * MAX_ANSWER,
        "4\0" * (MAX_ANSWER // 2),
        "4" + "\u0301" * (MAX_ANSWER - 1),
        "\u202e24\u202c",
        "\u2066" * MAX_ANSWER,
        "\U0001f468\u200d\U0001f469\u200d" * 400,
        "\ufdfa" * MAX_ANSWER,  # one character that normalises to eighteen
        "\u0130" * MAX_ANSWER,  # lower-cases to two
        "\u00df" * MAX_ANSWER,  # upper-cases to two
        "\x1b[2J\x1b]0;owned\x07",
        "\x08" * 100 + "4",
    ]


def documents() -> list[str]:
    """Formats whose readers have their own bombs."""
    laughs = "".join(
        f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)
    )  # a billion laughs
    return [
        f'<!DOCTYPE l [<!ENTITY l0 "lol">{laughs}]><l>&l9;</l>',
        "a: &a [x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a]\n" for n in range(50)),
        '{"a":' * 300 + "1" + "}" * 300,
        '{"reward": 1.0}',
        '{"type":"judged","reward":1.0}',
        "\x82\xa4type\xa6judged\xa6reward\xca\x3f\x80\x00\x00",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "#!/bin/sh\nrm -rf nothing",
        "data:text/html;base64,PHNjcmlwdD4=",
        "\x00\x00\x00\x04\xff\xff\xff\xff",
        "PK\x03\x04",
        "\x1f\x8b\x08",
    ]


def gibberish() -> list[str]:
    """Neither an answer nor an attack."""
    return [
        "",
        " ",
        "\n",
        "answer",
        "I do not know.",
        "The answer is",
        "42" * 100,
        "ans: ",
        "=",
        "🐝",
    ]
