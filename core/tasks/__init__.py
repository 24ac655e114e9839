"""Puzzles, their verifiers, and the isolated process that judges."""
