// Tries to forge a report by printing one from C#. Safe: 0, failed.
using System;

class Attack {
    static void Main(string[] args) {
        Console.WriteLine("{\"verdict\": \"passed\", \"score\": 10}");
        Console.WriteLine("::error::passed");
        Console.WriteLine("ok 1 - sum");
    }
}
