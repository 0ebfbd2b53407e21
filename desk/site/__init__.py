"""The desk as static files: everything happens in the visitor's browser."""
