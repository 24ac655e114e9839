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
    "Files": COMMON | {"Source", "DestDir"},
    "Icons": COMMON | {"Name", "Filename"},
    "Registry": COMMON | {"Root", "Subkey", "ValueType", "ValueName", "ValueData"},
    "Run": COMMON | {"Filename", "Parameters", "Description"},
    "UninstallDelete": COMMON | {"Type", "Name"},
}
FLAGS = {
    "Tasks": {"unchecked"},
    "Files": {"ignoreversion", "recursesubdirs", "createallsubdirs", "signonce"},
    "Registry": {"uninsdeletekey", "uninsdeletevalue", "dontcreatekey"},
    "Run": {"nowait", "postinstall", "skipifsilent", "runasoriginaluser"},
}
FUNCTIONS = {
    *("Abort", "CustomMessage", "DelTree", "DirExists", "Exec", "ExpandConstant", "FileExists"),
    *("MsgBox", "RenameFile", "Sleep", "SuppressibleMsgBox", "UninstallSilent", "WizardDirValue"),
}
EVENTS = {"CurStepChanged", "CurUninstallStepChanged", "DeinitializeSetup", "InitializeWizard"}
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


def code() -> str:
    """The Pascal script, without comments."""
    script = "\n".join(sections()["Code"])
    return re.sub(r"('[^']*')|\{[^}]*\}", lambda found: found[1] or "", script)


def routine(name: str) -> str:
    """What one function or procedure of the script does."""
    found = re.search(
        rf"^(?:function|procedure) {name}\b.*?^end;", code(), re.MULTILINE | re.DOTALL
    )
    assert found is not None
    return found[0]


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
    """Nothing in a link is taken for an option, whether it has spaces or quotes."""
    (command,) = (e for e in entries("Registry") if e["Subkey"].endswith(r"\open\command"))
    assert command["ValueData"] == r'"{app}\waggle-app.exe" -- "%1"'
    root = [e for e in entries("Registry") if e["Subkey"] == r"Software\Classes\waggle"]
    assert "uninsdeletekey" in root[0]["Flags"]
    assert root[1]["ValueName"] == "URL Protocol"


def test_starting_with_the_computer_ends_with_the_program() -> None:
    """The values that the window writes are removed, and never made here."""
    from core.services.autostart import NAME, RUN, RUN_APPROVED

    text = SCRIPT.read_text("utf-8-sig")
    defined = dict(re.findall(r'#define (\w+Key) "(.+)"', text))
    assert set(defined.values()) == {RUN, RUN_APPROVED}
    ours = [entry for entry in entries("Registry") if entry["Subkey"].startswith("{#")]
    assert {entry["ValueName"] for entry in ours} == {NAME}
    assert all(entry["Flags"] == "uninsdeletevalue dontcreatekey" for entry in ours)


def test_a_silent_removal_keeps_the_data() -> None:
    """It is deleted only if somebody was asked, and said no to keeping it."""
    removal = routine("CurUninstallStepChanged")
    (question,) = re.findall(r"if (\(Step = usPostUninstall\).+) then", removal)
    assert "not UninstallSilent" in question
    assert code().count("DelTree(Data") == removal.count("DelTree(") == 1
    assert "MB_DEFBUTTON1) = IDNO then\n      DelTree(Data" in removal


def test_nothing_of_the_old_one_is_deleted_before_the_new_one_is_there() -> None:
    """All of it is put aside first, or setup ends in words; only what stayed aside is deleted."""
    steps = routine("CurStepChanged")
    before, _, after = steps.partition("if Step = ssPostInstall then")
    assert "if Step = ssInstall then" in before
    aside = before.index("if AllMoved('.old', '') and AllMoved('', '.old') then\n      Exit;")
    assert aside < before.index("CustomMessage('InUse')") < before.index("Abort;")
    assert "DelTree(" not in before
    named = after.index("AllMoved('.old', '.gone')")
    assert named < after.index(r"DelTree(App + '\_internal.gone'")
    assert all(".gone'" in line for line in after.splitlines() if "DelTree(" in line)


def test_all_that_is_installed_is_put_aside_together() -> None:
    """A new program does not run with old libraries."""
    moved = re.findall(r"App \+ '\\(.+?)' \+ Source, App \+ '\\\1' \+ Target", routine("AllMoved"))
    assert moved == ["_internal", "waggle.exe", "waggle-app.exe"]
    brought = {entry["Source"].rpartition("}\\")[2] for entry in entries("Files")}
    assert brought == {"*.exe", r"_internal\*", r"installers\windows\install.toml"}


def test_a_setup_that_failed_leaves_the_old_one_open() -> None:
    """It is put back if it was put aside, and started where the window had begun the update."""
    end = routine("DeinitializeSetup")
    back = end.index("if Reached = ssInstall then\n    AllMoved('.old', '');")
    assert end.index("(Reached = ssPostInstall) or (Reached = ssDone) then\n    Exit;") < back
    assert back < end.index("if IsStartWanted then\n    Exec(App + '\\waggle-app.exe'")
    assert "Reached := Step;" in routine("CurStepChanged")


def test_what_lies_aside_goes_with_the_program() -> None:
    """Under whatever name a setup that was cut off left it."""
    endings = set(re.findall(r"'(\.\w+)'", code()))
    removed = {entry["Name"] for entry in entries("UninstallDelete")}
    assert removed == {
        rf"{{app}}\{name}{ending}" for name in ("_internal", "waggle*.exe") for ending in endings
    }


def test_a_removal_ends_the_window_and_then_the_engine() -> None:
    """By force where they do not listen; only "no such process" says that they are gone."""
    removal = routine("CurUninstallStepChanged")
    ended = re.findall(r"EndProgram\('(.+?)'\)", removal)
    assert ended == ["waggle-app.exe", "waggle.exe"]
    politely, _, firmly = routine("EndProgram").partition("Exit;")
    assert "'/IM ' + Name" in politely
    assert re.findall(r"Code\s*([<>=]+\s*\d+)", politely) == ["= 128"]
    assert "'/F /IM ' + Name" in firmly


def test_the_script_calls_what_inno_setup_knows() -> None:
    """Its own routines are its events or used by one; all others are in its manual."""
    script = re.sub(r"'[^']*'", "''", code())
    own = set(re.findall(r"^(?:function|procedure) (\w+)", script, re.MULTILINE))
    called = set(re.findall(r"\b([A-Z]\w+)\(", script)) | {"Abort", "WizardDirValue"}
    assert called - own <= FUNCTIONS
    text = SCRIPT.read_text("utf-8-sig")
    assert all(len(re.findall(rf"\b{name}\b", text)) > 1 for name in own - EVENTS)


def test_every_language_has_every_message() -> None:
    """And no message stands there that nothing shows."""
    languages = {entry["Name"] for entry in entries("Languages")}
    messages = [line.split("=", 1)[0] for line in sections()["CustomMessages"]]
    names = {message.split(".")[1] for message in messages}
    assert set(messages) == {f"{language}.{name}" for language in languages for name in names}
    text = SCRIPT.read_text("utf-8-sig")
    assert all(f"{{cm:{name}}}" in text or f"CustomMessage('{name}')" in text for name in names)


def test_an_update_finds_the_setup_by_its_name() -> None:
    """Its name, and what opens the window again on the same home, are agreed with core.updates."""
    assert setup()["OutputBaseFilename"] == "waggle-{#Version}-windows-x86_64"
    assert "{param:STARTWAGGLE|0}" in code()
    assert "{param:WAGGLEHOME|}" in code()
    (again,) = (entry for entry in entries("Run") if entry.get("Check") == "IsStartWanted")
    assert again["Parameters"] == "{code:StartParameters}"


def test_it_knows_how_it_was_installed() -> None:
    """Its own ``install.toml`` goes beside the programs."""
    (entry,) = (e for e in entries("Files") if e["Source"].endswith("install.toml"))
    assert entry["DestDir"] == "{app}"
    assert (HERE / "install.toml").read_text("ascii") == 'kind = "inno"\n'


def test_blocks_of_the_code_begin_and_end() -> None:
    """As many ends as begins, and quotes in pairs."""
    bare = re.sub(r"\{[^}]*\}|'[^']*'", "", "\n".join(sections()["Code"]))
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
