// Tries to leave a process that answers later from C#. Safe: 0, failed or crashed or timeout.
using System;

class Attack {
    static void Main(string[] args) {
        Run("(sleep 4; cp /bin/sleep ./attack-left-behind; ./attack-left-behind 60) & echo tried");
    }

    [System.Runtime.InteropServices.DllImport("libc")] static extern int system(string command);

    static void Run(string command) { Console.WriteLine(system(command)); }
}
