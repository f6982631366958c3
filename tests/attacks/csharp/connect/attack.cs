// Tries to reach a server of the machine from C#. Safe: 0, failed or crashed.
using System;

class Attack {
    static void Main(string[] args) {
        Connect();
    }

    static void Connect() {
        try {
            var client = new System.Net.Sockets.TcpClient();
            client.Connect("127.0.0.1", int.Parse(Environment.GetEnvironmentVariable("PORT")));
            client.GetStream().WriteByte(65);
            Console.WriteLine("harm: connected");
        } catch (Exception) { Console.WriteLine("held"); }
    }
}
