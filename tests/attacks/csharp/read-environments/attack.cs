// Tries to read the environment of every process from C#. Safe: 0, failed or crashed.
using System;

class Attack {
    static void Main(string[] args) {
        Run("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep canary; echo done");
    }

    [System.Runtime.InteropServices.DllImport("libc")] static extern int system(string command);

    static void Run(string command) { Console.WriteLine(system(command)); }
}
