// Tries to take all of the stack from C#. Safe: 0, crashed or memory or timeout or failed.
using System;

class Attack {
    static void Main(string[] args) {
        Console.WriteLine(Deeper(1));
    }

    static long Deeper(long number) { return Deeper(number + 1) + number; }
}
