// Tries to have the compiler run a program of its own. Safe: 0, build-failed.
class Attack {}
