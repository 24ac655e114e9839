"""Words, numbers and moments in the person's language."""
