; The Windows setup, for Inno Setup 6.3 or later: for one person, without an administrator.
;
;   iscc /DVersion=0.1.0 /DFolder=dist\waggle /DOut=dist installers\windows\waggle.iss
;
; Paths are relative to the project's folder.
;
; Signing: put a call of Microsoft's signtool into WAGGLE_SIGNTOOL, with $f for the file, and pass
; it as a sign tool of this name, too:  iscc "/Swaggle=%WAGGLE_SIGNTOOL%" ...

#ifndef Version
  #error Name the version: /DVersion=0.1.0
#endif
#ifndef Folder
  #error Name the frozen folder: /DFolder=dist\waggle
#endif
#ifndef Out
  #error Name the folder for the setup: /DOut=dist
#endif
#define Signs GetEnv("WAGGLE_SIGNTOOL") != ""
#define RunKey "Software\Microsoft\Windows\CurrentVersion\Run"
#define ApprovedKey "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"

[Setup]
AppId={{6C0F5B0E-9C3B-4C63-9D57-2A1B86E3D7F4}
AppName=Waggle
AppVersion={#Version}
AppPublisher=Waggle contributors
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
CloseApplications=yes
CloseApplicationsFilter=*.exe,*.dll,*.pyd
Compression=lzma2
DefaultDirName={autopf}\Waggle
DisableDirPage=auto
DisableProgramGroupPage=yes
LicenseFile=LICENSE
MinVersion=10.0.17763
OutputBaseFilename=waggle-{#Version}-windows-x86_64
OutputDir={#Out}
PrivilegesRequired=lowest
RestartApplications=no
SolidCompression=yes
SourceDir=..\..
UninstallDisplayIcon={app}\waggle-app.exe
UninstallDisplayName=Waggle
WizardStyle=modern
#if Signs
SignTool=waggle
SignedUninstaller=yes
#else
  #pragma warning "WAGGLE_SIGNTOOL is empty: the setup is not signed, and Windows will warn of it."
#endif

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"
Name: "es"; MessagesFile: "compiler:Languages\Spanish.isl"

[CustomMessages]
en.KeepData=Keep what your models learnt, your identity and your settings, so that a later Waggle goes on from there?
de.KeepData=Behalten, was Ihre Modelle gelernt haben, dazu Ihre Identität und Ihre Einstellungen, damit ein späteres Waggle dort weitermacht?
es.KeepData=¿Conservar lo que aprendieron sus modelos, su identidad y sus ajustes, para que un Waggle posterior siga desde ahí?
en.Desktop=Put Waggle on the desktop
de.Desktop=Waggle auf den Desktop legen
es.Desktop=Poner Waggle en el escritorio

[Tasks]
Name: "desktop"; Description: "{cm:Desktop}"; Flags: unchecked

[InstallDelete]
; Nothing of an earlier version may stay among the libraries.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Folder}\*.exe"; DestDir: "{app}"; Flags: ignoreversion{#Signs ? " signonce" : ""}
Source: "{#Folder}\_internal\*"; DestDir: "{app}\_internal"; Flags: ignoreversion recursesubdirs createallsubdirs
Source: "installers\windows\install.toml"; DestDir: "{app}"; Flags: ignoreversion

[Icons]
Name: "{autoprograms}\Waggle"; Filename: "{app}\waggle-app.exe"
Name: "{autodesktop}\Waggle"; Filename: "{app}\waggle-app.exe"; Tasks: desktop

[Registry]
Root: HKCU; Subkey: "Software\Classes\waggle"; ValueType: string; ValueData: "URL:Waggle invite"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\waggle"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKCU; Subkey: "Software\Classes\waggle\DefaultIcon"; ValueType: string; ValueData: """{app}\waggle-app.exe"",0"
Root: HKCU; Subkey: "Software\Classes\waggle\shell\open\command"; ValueType: string; ValueData: """{app}\waggle-app.exe"" ""%1"""
; The window itself writes these two where a person lets it start with the computer.
Root: HKCU; Subkey: "{#RunKey}"; ValueType: none; ValueName: "waggle"; Flags: uninsdeletevalue dontcreatekey
Root: HKCU; Subkey: "{#ApprovedKey}"; ValueType: none; ValueName: "waggle"; Flags: uninsdeletevalue dontcreatekey

[Run]
Filename: "{app}\waggle-app.exe"; Description: "{cm:LaunchProgram,Waggle}"; Flags: nowait postinstall skipifsilent
Filename: "{app}\waggle-app.exe"; Flags: nowait runasoriginaluser; Check: IsStartWanted

[Code]
{ An update that began in the window ends with opening it again. }
function IsStartWanted: Boolean;
begin
  Result := ExpandConstant('{param:STARTWAGGLE|0}') = '1';
end;

{ When the window ends, the engine saves what it has and ends, too. }
procedure EndWindow;
var
  Code: Integer;
begin
  Exec(ExpandConstant('{sys}\taskkill.exe'), '/IM waggle-app.exe', '', SW_HIDE, ewWaitUntilTerminated, Code);
  if Code <> 0 then
    Exit;
  Sleep(4000);
  Exec(ExpandConstant('{sys}\taskkill.exe'), '/F /IM waggle-app.exe', '', SW_HIDE, ewWaitUntilTerminated, Code);
  Sleep(4000);
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Data: String;
begin
  if Step = usUninstall then
    EndWindow;
  Data := ExpandConstant('{localappdata}\waggle');
  if (Step = usPostUninstall) and DirExists(Data) and not UninstallSilent then
    if MsgBox(CustomMessage('KeepData'), mbConfirmation, MB_YESNO or MB_DEFBUTTON1) = IDNO then
      DelTree(Data, True, True, True);
end;
