"""Finding each other through the BitTorrent DHT."""
