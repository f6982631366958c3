// Tries to write into a file that everybody may write from C#. Safe: 0, failed or crashed.
using System;

class Attack {
    static void Main(string[] args) {
        Write(Environment.GetEnvironmentVariable("ROOM") + "/world/precious", true);
    }

    static void Write(string path, bool harm) {
        try {
            System.IO.File.WriteAllText(path, "mine");
            if (harm) Console.WriteLine("harm: wrote " + path);
        } catch (Exception) { Console.WriteLine("held"); }
    }
}
