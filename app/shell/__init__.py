"""The window itself: what fills it, the rail between its pages, and where it was."""
