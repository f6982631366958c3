-- Tries to open files of others as databases. Safe: 0, failed or crashed.
.bail off
attach '/etc/passwd' as a;
select * from a.sqlite_master;
attach 'file:/etc/shadow?mode=ro&immutable=1' as b;
select * from b.sqlite_master;
.open --readonly /proc/1/environ
.open --zip /etc/shadow
.open --append /usr/bin/env
.open --deserialize /etc/shadow
.tables
.databases
