// Tries to start two thousand processes from C#. Safe: 0, failed or crashed or timeout or memory.
using System;

class Attack {
    static void Main(string[] args) {
        Run("i=0; while [ $i -lt 2000 ]; do sleep 3 & i=$((i+1)); done; echo tried");
    }

    [System.Runtime.InteropServices.DllImport("libc")] static extern int system(string command);

    static void Run(string command) { Console.WriteLine(system(command)); }
}
