// Tries to leave files for whoever comes next from C#. Safe: 0, failed or crashed.
using System;

class Attack {
    static void Main(string[] args) {
        Write("/tmp/left-behind-csharp", false);
        Write("/var/tmp/left-behind-csharp", false);
        Write("/dev/shm/left-behind-csharp", false);
        Write("/usr/bin/left-behind-csharp", true);
        Write("/etc/left-behind-csharp", true);
        Write("/srv/left-behind-csharp", true);
    }

    static void Write(string path, bool harm) {
        try {
            System.IO.File.WriteAllText(path, "mine");
            if (harm) Console.WriteLine("harm: wrote " + path);
        } catch (Exception) { Console.WriteLine("held"); }
    }
}
