// Tries to read what the grader's home holds from C#. Safe: 0, failed or crashed.
using System;

class Attack {
    static void Main(string[] args) {
        Show(Environment.GetEnvironmentVariable("ROOM") + "/home/.netrc");
        Show(Environment.GetEnvironmentVariable("ROOM") + "/home/.ssh/id");
    }

    static void Show(string path) {
        try { Console.WriteLine("harm: read " + System.IO.File.ReadAllText(path)); }
        catch (Exception) { Console.WriteLine("held"); }
    }
}
