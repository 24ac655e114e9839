"""Work that a person asks for beside practice, for the helper and the command line alike."""
