"""The processes behind the window, and what is written for them."""
