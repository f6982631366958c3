using System;
using System.Linq;

class Attack {
    static void Main(string[] args) {
        int n = int.Parse(args[0]);
        Console.WriteLine(Sum(n));
    }

    static int Sum(int n) {
        int total = 0;
        for (int i = 1; i <= n; i++) total += i;
        return total;
    }
}
