#!/bin/sh
# Installs Waggle for you alone, from the folder that this script lies in. No root needed.
# Once more with a newer folder updates it. uninstall.sh takes it away again.
set -eu

# Where it really lies: of a link, the link alone would be copied.
here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd -P)
place=$HOME/.local/lib/waggle
real=$(CDPATH='' cd -P -- "$place" 2>/dev/null && pwd -P) || real=
programs=$HOME/.local/bin
share=${XDG_DATA_HOME:-$HOME/.local/share}

draft=$HOME/.local/lib/.waggle.part-install
gone=$HOME/.local/lib/.waggle.part-gone

is_there() {
    [ -e "$1" ] || [ -L "$1" ]
}

stop() {
    echo "$1, then start this again. Nothing was changed." >&2
    exit 1
}

# Its files must not go while it runs: it loads more of them later.
stop_if_running() {
    [ -n "$real" ] || return 0
    for program in /proc/[0-9]*/exe; do
        case $(readlink "$program" 2>/dev/null || true) in
        "$real"/*) stop "Waggle is running. Quit it" ;;
        esac
    done
}

for name in waggle waggle-app; do
    if is_there "$programs/$name" && [ "$(readlink "$programs/$name")" != "$place/$name" ]; then
        stop "$programs/$name is there already and does not lead to this Waggle. Move it away"
    fi
done
if [ "$here" != "$real" ]; then
    for folder in "$place" "$place.new" "$place.old"; do
        if is_there "$folder" && [ ! -e "$folder/install.toml" ]; then
            stop "$folder is there already and is no Waggle. Move it away"
        fi
    done
    stop_if_running
    # First all of the new one, then one quick exchange: nothing half-copied is ever started.
    mkdir -p "$HOME/.local/lib"
    trap 'rm -rf "$draft"' EXIT # half of it, where the disk is full
    rm -rf "$draft"
    cp -R "$here" "$draft"
    # Under another name first: half of one, should this be cut off, would be no Waggle any more.
    for folder in "$place.new" "$place.old" "$place"; do
        if is_there "$folder"; then
            rm -rf "$gone"
            mv "$folder" "$gone"
        fi
    done
    mv "$draft" "$place"
    rm -rf "$gone"
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
