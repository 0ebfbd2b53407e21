"""A turn read, judged and reported; worked cases."""
