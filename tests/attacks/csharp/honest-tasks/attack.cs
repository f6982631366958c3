using System;
using System.Linq;

class Attack {
    static void Main(string[] args) {
        int n = int.Parse(args[0]);
        Console.WriteLine(Sum(n));
    }

    static int Sum(int n) {
        var halves = new[] {
            System.Threading.Tasks.Task.Run(() => Enumerable.Range(1, n / 2).Sum()),
            System.Threading.Tasks.Task.Run(() => Enumerable.Range(n / 2 + 1, n - n / 2).Sum()),
        };
        return halves.Sum(half => half.Result);
    }
}
