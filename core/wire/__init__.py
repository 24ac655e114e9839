"""Bytes of strangers <-> types; every limit lives here."""
