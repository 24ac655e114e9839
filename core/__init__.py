"""The engine of Waggle: learning, judging and sharing, without a window."""
