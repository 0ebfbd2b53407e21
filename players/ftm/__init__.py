"""Random legal play of For the Motherland!."""
