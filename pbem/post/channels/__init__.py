"""Ways out beside mail, fed by the same outbox: a feed, and webhooks."""
