"""The parts of `engine.record`, which is the module to import."""
