using System;
using System.Linq;

class Attack {
    static void Main(string[] args) {
        int n = int.Parse(args[0]);
        Console.WriteLine(n * (n + 1) / 2);
    }
}
