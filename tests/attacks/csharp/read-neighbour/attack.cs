// Tries to read what another student handed in from C#. Safe: 0, failed or crashed.
using System;

class Attack {
    static void Main(string[] args) {
        Show(Environment.GetEnvironmentVariable("ROOM") + "/course/csharp/honest/notes");
    }

    static void Show(string path) {
        try { Console.WriteLine("harm: read " + System.IO.File.ReadAllText(path)); }
        catch (Exception) { Console.WriteLine("held"); }
    }
}
