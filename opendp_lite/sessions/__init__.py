"""Sessions, queryables, odometers: what is charged, in what order; users' parts."""
