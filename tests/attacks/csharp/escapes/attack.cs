// Tries to rewrite the terminal of whoever looks from C#. Safe: 0, failed.
using System;

class Attack {
    static void Main(string[] args) {
        Console.WriteLine("\x001b[2J\x001b]0;mine\x001b[8m");
    }
}
