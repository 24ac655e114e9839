#!/bin/bash
# Signs Waggle.app, has Apple look at it, puts it into a disk image, has Apple look at that, too, and
# packs the app once more as the archive that an installed Waggle updates itself with.
#
#   installers/macos/make_dmg.sh dist/Waggle.app 0.1.0 dist
#
# WAGGLE_MAC_IDENTITY     the "Developer ID Application: ..." in the keychain; unsigned without it
# WAGGLE_NOTARY_PROFILE   a profile that `xcrun notarytool store-credentials` made; not notarised
#                         without it
set -euo pipefail

if [ $# -ne 3 ]; then
    echo "usage: make_dmg.sh APP VERSION OUT" >&2
    exit 2
fi
app=$1
version=$2
package=$3/waggle-$version-macos-$(uname -m)
image=$package.dmg
update=$package.tar.xz
here=$(cd "$(dirname "$0")" && pwd)
identity=${WAGGLE_MAC_IDENTITY:-}
profile=${WAGGLE_NOTARY_PROFILE:-}

warn() {
    echo "make_dmg: warning: $1" >&2
}

sign() {
    codesign --force --timestamp --options runtime --sign "$identity" "$@"
}

# From the inside out: the bundle's own seal covers what was signed before. Programs need the
# entitlements; libraries live in the process of one. Names do not tell what is code: torch brings
# a program without a suffix among its libraries.
sign_app() {
    local programs=() path
    while IFS= read -r -d '' path; do
        case $(file -b "$path") in
        Mach-O*executable*) programs+=("$path") ;;
        Mach-O*) sign "$path" ;;
        esac
    done < <(find "$app/Contents" -type d -name '*.framework' -prune -o -type f -print0)
    find "$app/Contents" -type d -name '*.framework' -prune -print0 |
        while IFS= read -r -d '' path; do sign "$path"; done
    for path in "${programs[@]}" "$app"; do
        sign --entitlements "$here/entitlements.plist" "$path"
    done
}

if [ -n "$identity" ]; then
    sign_app
else
    # The seal of PyInstaller is older than install.toml, and macOS calls such an app damaged.
    codesign --force --deep --sign - "$app"
    warn "WAGGLE_MAC_IDENTITY is empty: the app is signed by nobody, and macOS will not open it by itself"
fi
codesign --verify --deep --strict "$app"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
staging=$work/staging
mkdir "$staging"

notarise() {
    xcrun notarytool submit "$1" --keychain-profile "$profile" --wait
    xcrun stapler staple "$2"
}

is_notarised=
if [ -n "$identity" ] && [ -n "$profile" ]; then
    is_notarised=yes
    # The app before it goes into the image, which is read-only: a ticket of the image alone is not
    # there for whoever has dragged the app out of it and opens it without a network.
    ditto -c -k --keepParent "$app" "$work/Waggle.zip"
    notarise "$work/Waggle.zip" "$app"
fi
ditto "$app" "$staging/Waggle.app"
ln -s /Applications "$staging/Applications"
hdiutil create -ov -quiet -volname Waggle -fs HFS+ -format ULFO -srcfolder "$staging" "$image"

if [ -n "$identity" ]; then
    codesign --force --timestamp --sign "$identity" "$image"
fi
if [ -n "$is_notarised" ]; then
    notarise "$image" "$image"
else
    warn "the image is not notarised: that needs WAGGLE_MAC_IDENTITY and WAGGLE_NOTARY_PROFILE"
fi

# Without the variable, Apple's tar adds a file ._Waggle.app beside the one folder of an update.
COPYFILE_DISABLE=1 tar -C "$staging" -cJf "$update" Waggle.app
echo "$image"
echo "$update"
