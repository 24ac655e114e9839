"""Work that a person asks for beside practice, for the window's desk and the command line alike."""
