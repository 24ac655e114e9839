"""The Windows setup is written in words that Inno Setup knows, and does what it promises.

Its compiler runs on Windows only, so this reads the script as the compiler would begin to.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[3] / "installers" / "windows"
SCRIPT = HERE / "waggle.iss"

# What the manual of Inno Setup 6 names, as far as it is used or easily mistaken.
DIRECTIVES = {
    *("AppId", "AppName", "AppPublisher", "AppVersion", "ArchitecturesAllowed"),
    *("ArchitecturesInstallIn64BitMode", "ChangesAssociations", "CloseApplications"),
    *("CloseApplicationsFilter", "Compression", "DefaultDirName", "DisableDirPage"),
    *("DisableProgramGroupPage", "LicenseFile", "MinVersion", "OutputBaseFilename", "OutputDir"),
    *("PrivilegesRequired", "RestartApplications", "SignTool", "SignedUninstaller"),
    *("SolidCompression", "SourceDir", "UninstallDisplayIcon", "UninstallDisplayName"),
    "WizardStyle",
}
COMMON = {"Check", "Flags", "Languages", "Tasks"}
PARAMETERS = {
    "Languages": {"Name", "MessagesFile"},
    "Tasks": COMMON | {"Name", "Description"},
    "InstallDelete": COMMON | {"Type", "Name"},
    "Files": COMMON | {"Source", "DestDir"},
    "Icons": COMMON | {"Name", "Filename"},
    "Registry": COMMON | {"Root", "Subkey", "ValueType", "ValueName", "ValueData"},
    "Run": COMMON | {"Filename", "Description"},
}
FLAGS = {
    "Tasks": {"unchecked"},
    "Files": {"ignoreversion", "recursesubdirs", "createallsubdirs", "signonce"},
    "Registry": {"uninsdeletekey", "uninsdeletevalue", "dontcreatekey"},
    "Run": {"nowait", "postinstall", "skipifsilent", "runasoriginaluser"},
}
ENTRY = re.compile(r'\s*(\w+):\s*("(?:[^"]|"")*"|[^;"]*?)\s*(?:;|$)')


def sections() -> dict[str, list[str]]:
    """The lines of each section; comments and the preprocessor's lines are left out."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in SCRIPT.read_text("utf-8-sig").splitlines():
        if re.fullmatch(r"\[\w+\]", line):
            name = line.strip("[]")
            assert name not in found
            found[name] = []
        elif line.strip() and not line.lstrip().startswith((";", "#")):
            found[name].append(line)
    return found


def entries(section: str) -> Iterator[dict[str, str]]:
    """The parameters of each entry, without their quotes; all of a line has to be parameters."""
    for line in sections()[section]:
        line_without_directives = re.sub(r"\{#[^}]*\?[^}]*\}", "", line)
        matches = list(ENTRY.finditer(line_without_directives))
        assert "".join(match[0] for match in matches) == line_without_directives
        yield {match[1]: plain(match[2]) for match in matches}


def plain(value: str) -> str:
    """What a parameter says, without its quotes."""
    return value[1:-1].replace('""', '"') if value.startswith('"') else value


def setup() -> dict[str, str]:
    """The directives."""
    return dict(line.split("=", 1) for line in sections()["Setup"])


def test_every_directive_is_one_of_inno_setup() -> None:
    """A mistyped one would stop the compiler."""
    assert set(setup()) <= DIRECTIVES


@pytest.mark.parametrize("section", PARAMETERS)
def test_every_parameter_and_flag_is_one_of_inno_setup(section: str) -> None:
    """In the section that knows it."""
    for entry in entries(section):
        assert set(entry) <= PARAMETERS[section]
        assert set(entry.get("Flags", "").split()) <= FLAGS.get(section, set())


def test_there_is_no_section_that_inno_setup_does_not_know() -> None:
    """Each is looked at by another test, or holds text."""
    assert set(sections()) == {"Setup", "CustomMessages", "Code", *PARAMETERS}


def test_it_asks_for_no_administrator() -> None:
    """One person's folder, one person's registry."""
    assert setup()["PrivilegesRequired"] == "lowest"
    assert {entry["Root"] for entry in entries("Registry")} == {"HKCU"}


def test_links_to_swarms_open_the_window() -> None:
    """The link is one quoted argument, so that a space in it cannot become an option."""
    (command,) = (e for e in entries("Registry") if e["Subkey"].endswith(r"\open\command"))
    assert command["ValueData"] == r'"{app}\waggle-app.exe" "%1"'
    root = [e for e in entries("Registry") if e["Subkey"] == r"Software\Classes\waggle"]
    assert "uninsdeletekey" in root[0]["Flags"]
    assert root[1]["ValueName"] == "URL Protocol"


def test_starting_with_the_computer_ends_with_the_program() -> None:
    """The values that the window writes are removed, and never made here."""
    from core.errands.autostart import NAME
    from core.errands.registry import RUN, RUN_APPROVED

    text = SCRIPT.read_text("utf-8-sig")
    defined = dict(re.findall(r'#define (\w+Key) "(.+)"', text))
    assert set(defined.values()) == {RUN, RUN_APPROVED}
    ours = [entry for entry in entries("Registry") if entry["Subkey"].startswith("{#")]
    assert {entry["ValueName"] for entry in ours} == {NAME}
    assert all(entry["Flags"] == "uninsdeletevalue dontcreatekey" for entry in ours)


def test_a_silent_removal_keeps_the_data() -> None:
    """It is deleted only if somebody was asked, and said no to keeping it."""
    code = "\n".join(sections()["Code"])
    (question,) = re.findall(r"if (\(Step = usPostUninstall\).+) then", code)
    assert "not UninstallSilent" in question
    assert code.count("DelTree(") == 1
    assert "MB_DEFBUTTON1) = IDNO then\n      DelTree(Data" in code


def test_every_language_has_every_message() -> None:
    """And no message stands there that nothing shows."""
    languages = {entry["Name"] for entry in entries("Languages")}
    messages = [line.split("=", 1)[0] for line in sections()["CustomMessages"]]
    names = {message.split(".")[1] for message in messages}
    assert set(messages) == {f"{language}.{name}" for language in languages for name in names}
    text = SCRIPT.read_text("utf-8-sig")
    assert all(f"{{cm:{name}}}" in text or f"CustomMessage('{name}')" in text for name in names)


def test_an_update_finds_the_setup_by_its_name() -> None:
    """Name and the switch that opens the window again are agreed with core.updates."""
    assert setup()["OutputBaseFilename"] == "waggle-{#Version}-windows-x86_64"
    assert "{param:STARTWAGGLE|0}" in "\n".join(sections()["Code"])


def test_it_knows_how_it_was_installed() -> None:
    """Its own ``install.toml`` goes beside the programs."""
    (entry,) = (e for e in entries("Files") if e["Source"].endswith("install.toml"))
    assert entry["DestDir"] == "{app}"
    assert (HERE / "install.toml").read_text("ascii") == 'kind = "inno"\n'


def test_blocks_of_the_code_begin_and_end() -> None:
    """As many ends as begins, and quotes in pairs."""
    code = "\n".join(sections()["Code"])
    bare = re.sub(r"\{[^}]*\}|'[^']*'", "", code)
    assert len(re.findall(r"\bbegin\b", bare)) == len(re.findall(r"\bend;", bare))
    assert "'" not in bare


def test_signing_is_skipped_with_a_warning() -> None:
    """Without a certificate there is a setup, and it says that it is not signed."""
    text = SCRIPT.read_text("utf-8-sig")
    signing, _, otherwise = text.partition("#if Signs")[2].partition("#else")
    assert "SignTool=" in signing
    assert "#pragma warning" in otherwise.partition("#endif")[0]


def test_the_compiler_reads_it_as_utf8() -> None:
    """Without the mark it would take it for the code page of whoever builds."""
    assert SCRIPT.read_bytes().startswith(b"\xef\xbb\xbf")
