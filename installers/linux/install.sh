#!/bin/sh
# Installs Waggle for you alone, from the folder that this script lies in. No root needed.
# Once more with a newer folder updates it. uninstall.sh takes it away again.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
place=$HOME/.local/lib/waggle
programs=$HOME/.local/bin
share=${XDG_DATA_HOME:-$HOME/.local/share}

if [ "$here" != "$place" ]; then
    if [ -e "$place" ] && [ ! -e "$place/install.toml" ]; then
        echo "$place is there already and is no Waggle. Move it away, then start this again." >&2
        exit 1
    fi
    # First all of the new one, then one quick exchange: nothing half-copied is ever started.
    mkdir -p "$HOME/.local/lib"
    rm -rf "$place.new" "$place.old"
    cp -R "$here" "$place.new"
    if [ -e "$place" ]; then mv "$place" "$place.old"; fi
    mv "$place.new" "$place"
    rm -rf "$place.old"
fi

mkdir -p "$programs" "$share/applications" "$share/icons/hicolor/scalable/apps"
ln -sf "$place/waggle" "$programs/waggle"
ln -sf "$place/waggle-app" "$programs/waggle-app"
cp "$place/_internal/resources/icons/waggle.svg" "$share/icons/hicolor/scalable/apps/waggle.svg"
# The quotes are those of the desktop entry specification: a home may have a space in its name.
cat >"$share/applications/waggle.desktop" <<ENTRY
[Desktop Entry]
Type=Application
Version=1.0
Name=Waggle
Comment=Lend this computer to a swarm that trains small language models together
Exec="$place/waggle-app" %u
Icon=waggle
Terminal=false
Categories=Education;ArtificialIntelligence;
MimeType=x-scheme-handler/waggle;
StartupWMClass=waggle
ENTRY
if command -v update-desktop-database >/dev/null; then
    update-desktop-database "$share/applications"
fi

echo "Waggle is installed: look for it among your programs, or type $programs/waggle-app"
echo "To remove it: $place/uninstall.sh"
