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
en.InUse=Something still uses the files of Waggle, so nothing was changed. Close Waggle or restart the computer, then start this setup again.
de.InUse=Etwas benutzt noch die Dateien von Waggle, deshalb wurde nichts geändert. Schließen Sie Waggle oder starten Sie den Computer neu, und starten Sie dann diese Installation noch einmal.
es.InUse=Algo usa todavía los archivos de Waggle, así que no se cambió nada. Cierre Waggle o reinicie el ordenador y vuelva a iniciar esta instalación.

[Tasks]
Name: "desktop"; Description: "{cm:Desktop}"; Flags: unchecked

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
Root: HKCU; Subkey: "Software\Classes\waggle\shell\open\command"; ValueType: string; ValueData: """{app}\waggle-app.exe"" -- ""%1"""
; The window itself writes these two where a person lets it start with the computer.
Root: HKCU; Subkey: "{#RunKey}"; ValueType: none; ValueName: "waggle"; Flags: uninsdeletevalue dontcreatekey
Root: HKCU; Subkey: "{#ApprovedKey}"; ValueType: none; ValueName: "waggle"; Flags: uninsdeletevalue dontcreatekey

[Run]
Filename: "{app}\waggle-app.exe"; Description: "{cm:LaunchProgram,Waggle}"; Flags: nowait postinstall skipifsilent
Filename: "{app}\waggle-app.exe"; Parameters: "{code:StartParameters}"; Flags: nowait runasoriginaluser; Check: IsStartWanted

[UninstallDelete]
; What a setup that was cut off put aside.
Type: filesandordirs; Name: "{app}\_internal.old"
Type: filesandordirs; Name: "{app}\_internal.gone"
Type: files; Name: "{app}\waggle*.exe.old"
Type: files; Name: "{app}\waggle*.exe.gone"

[Code]
var
  App: String;
  Reached: TSetupStep;

{ An update that began in the window ends with opening it again. }
function IsStartWanted: Boolean;
begin
  Result := ExpandConstant('{param:STARTWAGGLE|0}') = '1';
end;

{ On the data folder that the window had. }
function StartParameters(Param: String): String;
begin
  Result := ExpandConstant('{param:WAGGLEHOME|}');
  if Result <> '' then
    Result := '--home "' + Result + '"';
end;

{ A virus scanner holds a file for a moment: that is no reason to give up at once. }
function Moved(Source, Target: String): Boolean;
var
  Tries: Integer;
begin
  Result := not FileExists(Source) and not DirExists(Source);
  for Tries := 1 to 20 do begin
    if Result then
      Exit;
    DelTree(Target, DirExists(Target), True, True);
    Result := RenameFile(Source, Target);
    if not Result then
      Sleep(500);
  end;
end;

{ Programs and libraries of one version. The libraries first: Windows does not move a folder as long
  as anything in it is in use, but it does move a program that runs. }
function AllMoved(Source, Target: String): Boolean;
begin
  Result := Moved(App + '\_internal' + Source, App + '\_internal' + Target)
    and Moved(App + '\waggle.exe' + Source, App + '\waggle.exe' + Target)
    and Moved(App + '\waggle-app.exe' + Source, App + '\waggle-app.exe' + Target);
end;

procedure InitializeWizard;
begin
  App := WizardDirValue;
end;

{ Setup brings nothing back by itself, so the old Waggle stays aside, whole, until the new one is
  there. What lies aside already is of a setup that was cut off: what is in place then may be half. }
procedure CurStepChanged(Step: TSetupStep);
begin
  Reached := Step;
  if Step = ssInstall then begin
    App := WizardDirValue;
    if AllMoved('.old', '') and AllMoved('', '.old') then
      Exit;
    SuppressibleMsgBox(CustomMessage('InUse'), mbCriticalError, MB_OK, IDOK);
    Abort;
  end;
  if Step = ssPostInstall then begin
    { By name first: an .old that cannot be deleted as a whole must not come back as a half. }
    AllMoved('.old', '.gone');
    DelTree(App + '\_internal.gone', True, True, True);
    DelTree(App + '\waggle*.exe.gone', False, True, False);
  end;
end;

{ Whatever went wrong: the old Waggle is in place, and open again where an update closed it. }
procedure DeinitializeSetup;
var
  Code: Integer;
begin
  if (Reached = ssPostInstall) or (Reached = ssDone) then
    Exit;
  if Reached = ssInstall then
    AllMoved('.old', '');
  if IsStartWanted then
    Exec(App + '\waggle-app.exe', StartParameters(''), '', SW_SHOWNORMAL, ewNoWait, Code);
end;

{ First politely; 128 says that there is no such process, all else that it may still be there. }
procedure EndProgram(Name: String);
var
  TaskKill: String;
  Code: Integer;
begin
  TaskKill := ExpandConstant('{sys}\taskkill.exe');
  if Exec(TaskKill, '/IM ' + Name, '', SW_HIDE, ewWaitUntilTerminated, Code) and (Code = 128) then
    Exit;
  Sleep(4000);
  Exec(TaskKill, '/F /IM ' + Name, '', SW_HIDE, ewWaitUntilTerminated, Code);
  Sleep(4000);
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Data: String;
begin
  if Step = usUninstall then begin
    EndProgram('waggle-app.exe'); { the engine saves what it has then, and ends, too }
    EndProgram('waggle.exe');
  end;
  Data := ExpandConstant('{localappdata}\waggle');
  if (Step = usPostUninstall) and DirExists(Data) and not UninstallSilent then
    if MsgBox(CustomMessage('KeepData'), mbConfirmation, MB_YESNO or MB_DEFBUTTON1) = IDNO then
      DelTree(Data, True, True, True);
end;
