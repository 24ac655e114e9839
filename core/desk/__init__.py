"""``python -m core.desk``: looks things up and runs errands for the window, beside the engine."""
