// Tries to end well before it answers from C#. Safe: 0, failed.
using System;

class Attack {
    static void Main(string[] args) {
        Environment.Exit(0);
    }
}
