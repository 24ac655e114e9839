"""``python -m core.helper``: looks things up and serves the window, beside the engine."""
