"""Letting the policy answer, fast and with its log-probs."""
