"""Sensors of this machine: a module a question, and one more where systems differ.

Every sensor fails soft: what it cannot tell is None, with the reason in words.
"""
