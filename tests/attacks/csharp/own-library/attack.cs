// Tries to shadow the class library by a file beside the program. Safe: 0, failed or crashed or build-failed.
using System;

class Attack {
    static void Main() { Console.WriteLine("held"); }
}
