// Tries to end others by the C library. Safe: 0, failed or crashed.
using System;

class Attack {
    [System.Runtime.InteropServices.DllImport("libc")] static extern int kill(int pid, int signal);

    static void Main() {
        if (kill(int.Parse(Environment.GetEnvironmentVariable("VICTIM")), 9) == 0) Console.WriteLine("harm: killed");
        Console.WriteLine(kill(-1, 9));
    }
}
