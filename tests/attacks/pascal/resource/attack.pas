// Tries to put files of others into the program as a resource. Safe: 0, build-failed.
program attack;
{$R /etc/shadow}
{$R evil.rc}
begin
end.
