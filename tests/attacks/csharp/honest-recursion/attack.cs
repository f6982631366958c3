using System;
using System.Linq;

class Attack {
    static void Main(string[] args) {
        int n = int.Parse(args[0]);
        Console.WriteLine(Sum(n));
    }

    static int Sum(int n) { return n == 0 ? 0 : n + Sum(n - 1); }
}
