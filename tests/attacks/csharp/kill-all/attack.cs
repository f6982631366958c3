// Tries to end every process that it sees from C#. Safe: 0, failed or crashed or timeout.
using System;

class Attack {
    static void Main(string[] args) {
        Run("kill -9 -1; echo tried");
    }

    [System.Runtime.InteropServices.DllImport("libc")] static extern int system(string command);

    static void Run(string command) { Console.WriteLine(system(command)); }
}
