// Tries to map a library to its own by the configuration beside the program. Safe: 0, failed or crashed.
using System;

class Attack {
    [System.Runtime.InteropServices.DllImport("harm")] static extern int getppid();

    static void Main() { Console.WriteLine(getppid()); }
}
