"""Colours, measures, typeface and icons, and how the window is dressed in them."""
