"""``waggle bench``: how fast this machine is at what a round consists of, beside what bounds it."""
