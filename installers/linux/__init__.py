"""The Debian package, and what comes with the tarball."""
