"""A further run under a tool that watches how the program handles its memory."""
