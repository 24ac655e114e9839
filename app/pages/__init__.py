"""The pages of the window, a package each; none knows of another."""
