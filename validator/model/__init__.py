"""What happens, where everything is, what is wrong: the data that all of the referee shares."""
