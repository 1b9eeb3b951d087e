"""What drives inbox, post, bots and clock."""
