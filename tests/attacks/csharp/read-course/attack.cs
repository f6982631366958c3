// Tries to read the spec and the reference from C#. Safe: 0, failed or crashed.
using System;

class Attack {
    static void Main(string[] args) {
        Show(Environment.GetEnvironmentVariable("ROOM") + "/course/specs/csharp.yaml");
        Show(Environment.GetEnvironmentVariable("ROOM") + "/course/reference/sum.py");
    }

    static void Show(string path) {
        try { Console.WriteLine("harm: read " + System.IO.File.ReadAllText(path)); }
        catch (Exception) { Console.WriteLine("held"); }
    }
}
