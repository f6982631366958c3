-- Tries to change what it is asked for, and its own commands. Safe: 0, failed or crashed.
.bail off
update input set n = 1;
.shell echo "insert into input values (0);" > input.sql; ls -la
.parameter set @n 5
.shell kill -STOP $PPID & sleep 0.1; kill -CONT $PPID
.echo on
.trace stdout
.dump
.selftest
