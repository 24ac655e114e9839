"""HTTP as hubs and nodes serve and ask it: bounded before anything is read."""
