"""The post: delivery of the outbox."""
