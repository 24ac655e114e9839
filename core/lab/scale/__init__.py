"""How large a swarm may grow: light clients against real hubs, and a simulation beyond them."""
