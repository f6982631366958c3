// Tries to end a process of somebody else from C#. Safe: 0, failed or crashed.
using System;

class Attack {
    static void Main(string[] args) {
        Run("kill -9 $VICTIM; kill -19 $VICTIM; echo tried");
    }

    [System.Runtime.InteropServices.DllImport("libc")] static extern int system(string command);

    static void Run(string command) { Console.WriteLine(system(command)); }
}
