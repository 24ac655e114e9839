"""``python -m core.helper``: looks things up and runs errands for the window, beside the engine."""
