"""Tables of public data sets on a model hub."""
