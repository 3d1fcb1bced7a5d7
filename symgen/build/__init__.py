"""C text → compiled library → checked Python callables: compiler, cache, loading, argument checks."""
