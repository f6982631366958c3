// An honest program.
