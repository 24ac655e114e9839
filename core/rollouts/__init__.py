"""Groups of rollouts that nodes exchange, their pool, and the choice of those to learn from."""
