"""What functions and unit tests share: the parts that start a driver of ours in the sandbox."""
