"""Every way in for mail: taking it, reading it, knowing whose it is."""
