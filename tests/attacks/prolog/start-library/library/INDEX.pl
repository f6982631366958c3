index((last), 2, evil, evil).
