# Tries to wait for nothing. Safe: 0, timeout.
trap('TERM') {}
trap('INT') {}
Process.setsid rescue nil
sleep 60
