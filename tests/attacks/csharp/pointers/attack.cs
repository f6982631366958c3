// Tries to read memory that is nobody's. Safe: 0, crashed or failed.
using System;

class Attack {
    static void Main() {
        for (long at = 4096; at > 0; at += 4096) Console.WriteLine(System.Runtime.InteropServices.Marshal.ReadByte(new IntPtr(at)));
    }
}
