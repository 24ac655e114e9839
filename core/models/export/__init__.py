"""Taking a trained model away, for other programs."""
