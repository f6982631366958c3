"""What runs in a Gradescope container: two scripts that the zip has at its root, and what they need of Python."""
