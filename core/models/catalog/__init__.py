"""Which models there are, which are here, and whether a folder holds one."""
