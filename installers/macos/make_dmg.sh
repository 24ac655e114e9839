#!/bin/bash
# Signs Waggle.app, puts it into a disk image, has Apple look at that, and packs the app once more
# as the archive that an installed Waggle updates itself with.
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

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
ditto "$app" "$staging/Waggle.app"
ln -s /Applications "$staging/Applications"
hdiutil create -ov -quiet -volname Waggle -fs HFS+ -format ULFO -srcfolder "$staging" "$image"

if [ -n "$identity" ]; then
    codesign --force --timestamp --sign "$identity" "$image"
fi
if [ -n "$identity" ] && [ -n "$profile" ]; then
    xcrun notarytool submit "$image" --keychain-profile "$profile" --wait
    xcrun stapler staple "$image"
    # Apple answers for what is in the image, too, and an archive cannot carry a ticket itself.
    xcrun stapler staple "$staging/Waggle.app"
else
    warn "the image is not notarised: that needs WAGGLE_MAC_IDENTITY and WAGGLE_NOTARY_PROFILE"
fi

# Without the variable, Apple's tar adds a file ._Waggle.app beside the one folder of an update.
COPYFILE_DISABLE=1 tar -C "$staging" -cJf "$update" Waggle.app
echo "$image"
echo "$update"
