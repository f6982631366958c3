# Tries to reach a server of the machine. Safe: 0, failed or crashed.
sum:
	-@timeout 1 bash -c 'echo left-behind > /dev/tcp/127.0.0.1/$(PORT)' && echo harm: connected
	-@timeout 1 bash -c 'echo left-behind > /dev/udp/127.0.0.1/$(PORT)'
	-@getent hosts example.org && echo harm: resolved
