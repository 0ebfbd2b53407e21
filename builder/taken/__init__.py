"""A stranger's module as data: taken apart into YAML, pictures and the rest, and put together again."""
