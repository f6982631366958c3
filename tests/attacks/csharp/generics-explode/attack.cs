// Tries to take the run-time's memory by types that grow. Safe: 0, crashed or memory or failed or timeout.
using System;

class Box<T> {
    public static int Depth(int n) { return n == 0 ? 0 : 1 + Box<Box<T>>.Depth(n - 1); }
}

class Attack {
    static void Main() { Console.WriteLine(Box<int>.Depth(100000)); }
}
