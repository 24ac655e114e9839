#!/bin/sh
# Removes what install.sh installed. What you practised stays, unless you add --data.
set -eu

place=$HOME/.local/lib/waggle
programs=$HOME/.local/bin
share=${XDG_DATA_HOME:-$HOME/.local/share}
autostart=${XDG_CONFIG_HOME:-$HOME/.config}/autostart/waggle.desktop
data=${WAGGLE_HOME:-$share/waggle}
# All that core/services/data_folder.py knows as made by Waggle.
made='settings.toml identity hub-identity ledger.sqlite outbox.sqlite sources.json dht checkpoints
models decks cache calibration.json round-times.json gpu-bench.json gpu-bench.md window-token updates logs
lock exams hub.sqlite hub.sqlite-decks window.json'

case ${1:-} in
'' | --data) ;;
*)
    echo "usage: uninstall.sh [--data]" >&2
    exit 2
    ;;
esac

stop() {
    echo "$1, then start this again. Nothing was changed." >&2
    exit 1
}

if [ -e "$place" ] && [ ! -e "$place/install.toml" ]; then
    stop "$place is no Waggle. Move it away"
fi
# Its files must not go while it runs: it loads more of them later.
if real=$(CDPATH='' cd -- "$place" 2>/dev/null && pwd -P); then
    for program in /proc/[0-9]*/exe; do
        case $(readlink "$program" 2>/dev/null || true) in
        "$real"/*) stop "Waggle is running. Quit it" ;;
        esac
    done
fi
# Nor its data while any Waggle practises on them, wherever that one is installed.
if [ "${1:-}" = --data ] && [ -e "$data/lock" ]; then
    command -v flock >/dev/null ||
        stop "Without flock, nothing tells whether Waggle runs on $data. Install that program"
    flock -n "$data/lock" true || stop "Waggle is running on $data. Quit it"
fi

for name in waggle waggle-app; do
    if [ "$(readlink "$programs/$name" || true)" = "$place/$name" ]; then
        rm "$programs/$name"
    fi
done
rm -f "$share/applications/waggle.desktop" "$share/icons/hicolor/scalable/apps/waggle.svg"
rm -f "$autostart"
# An update that was cut off may have left more than the folder itself. Each is renamed first: half of
# one, should this be cut off, would be no Waggle any more.
gone=$HOME/.local/lib/.waggle.part-gone
for folder in "$place" "$place.new" "$place.old"; do
    if [ -e "$folder/install.toml" ]; then
        rm -rf "$gone"
        mv "$folder" "$gone"
    fi
done
rm -rf "$HOME"/.local/lib/.waggle.part-* "$HOME/.local/lib/.waggle.lock"
if command -v update-desktop-database >/dev/null; then
    update-desktop-database "$share/applications"
fi

remove_data() {
    if [ "$data" = "$share/waggle" ]; then
        rm -rf "$data"
        return
    fi
    # Somebody named this folder, and may keep other things in it.
    for name in $made; do
        own=$data/$name
        rm -rf "$own" "$own-journal" "$own-shm" "$own-wal" "$data/${name%.*}.draft"
        rm -rf "$own".????????.draft
    done
    rm -rf "$data"/identity-before-*
    rmdir "$data" 2>/dev/null || true
}

if [ "${1:-}" = --data ]; then
    remove_data
    echo "Waggle is removed, and everything that it kept, but for an access token in your keyring."
    if [ -e "$data" ]; then echo "What else lies in $data stays."; fi
elif [ -e "$data" ]; then
    echo "Waggle is removed. What it kept is still in $data; delete that folder to remove it, too."
fi
