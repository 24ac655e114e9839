"""Home: one sentence, one chart, the controls."""
