// Tries to run for ever from C#. Safe: 0, timeout.
using System;

class Attack {
    static void Main(string[] args) {
        for (long number = 1; number > 0; number ^= 2) { }
    }
}
