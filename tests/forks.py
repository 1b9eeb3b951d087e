"""Processes that begin with all imports done: they are forked from one that has done these,
and nothing else."""

import multiprocessing

forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload(["pbem.cli.run", "pytest", "tests.e2e.forked", "tests.warm"])
