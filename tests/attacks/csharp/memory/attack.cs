// Tries to take all memory from C#. Safe: 0, memory or crashed or failed or timeout.
using System;

class Attack {
    static void Main(string[] args) {
        var kept = new System.Collections.Generic.List<byte[]>();
        for (int number = 0; number < 4000; number++) {
            var piece = new byte[1 << 20];
            for (int at = 0; at < piece.Length; at++) piece[at] = 1;
            kept.Add(piece);
        }
        Console.WriteLine(kept.Count);
    }
}
