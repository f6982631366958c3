// Tries to print without end from C#. Safe: 0, output or failed or timeout.
using System;

class Attack {
    static void Main(string[] args) {
        for (long number = 0; number < 2000000000; number++) Console.WriteLine("and on");
    }
}
