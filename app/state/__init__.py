"""What the window is a function of, and what is read from it; no widgets."""
