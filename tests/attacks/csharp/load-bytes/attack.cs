// Tries to run a program that it loads from bytes. Safe: 0, crashed or failed.
using System;

class Attack {
    static void Main() { System.Reflection.Assembly.Load(new byte[] {77, 90, 144, 0, 3}).EntryPoint.Invoke(null, null); }
}
