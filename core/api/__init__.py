"""What a client of the engine sees: events, commands, requests and replies, and a node's state."""
