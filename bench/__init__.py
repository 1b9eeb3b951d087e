"""Benchmarks, each with the baseline its figures are compared with in the same run."""
