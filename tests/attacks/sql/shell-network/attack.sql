-- Tries to reach a server of the machine. Safe: 0, failed or crashed.
.bail off
.shell timeout 1 bash -c 'echo left-behind > /dev/tcp/127.0.0.1/'$PORT && echo harm: connected
.system timeout 1 bash -c 'echo left-behind > /dev/udp/127.0.0.1/'$PORT
.shell getent hosts example.org && echo harm: resolved
