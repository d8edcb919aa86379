"""From a plan to a run on disk: the runner, the store, what calls and items are known by."""
