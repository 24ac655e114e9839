#!/bin/bash
# Signs Waggle.app, puts it into a disk image, and has Apple look at it.
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
image=$3/waggle-$version-macos-$(uname -m).dmg
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
# entitlements; libraries live in the process of one.
sign_app() {
    find "$app/Contents" -type f \( -name '*.dylib' -o -name '*.so' \) -print0 |
        while IFS= read -r -d '' library; do sign "$library"; done
    find "$app/Contents/Frameworks" -type d -name '*.framework' -prune -print0 |
        while IFS= read -r -d '' framework; do sign "$framework"; done
    find "$app/Contents/MacOS" -type f -perm -u+x -print0 |
        while IFS= read -r -d '' program; do
            sign --entitlements "$here/entitlements.plist" "$program"
        done
    sign --entitlements "$here/entitlements.plist" "$app"
    codesign --verify --deep --strict "$app"
}

if [ -n "$identity" ]; then
    sign_app
else
    warn "WAGGLE_MAC_IDENTITY is empty: the app is not signed, and macOS will not open it by itself"
fi

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
else
    warn "the image is not notarised: that needs WAGGLE_MAC_IDENTITY and WAGGLE_NOTARY_PROFILE"
fi
echo "$image"
