// Tries to have the compiler print files of the system. Safe: 0, build-failed.
program attack;
{$INCLUDE /etc/shadow}
{$I /proc/self/environ}
{$I /etc/passwd}
begin
end.
