// Tries to link files of others into the program. Safe: 0, build-failed.
program attack;
{$L /etc/shadow}
{$LINK /home/.netrc.o}
{$LINKLIB /proc/self/environ}
procedure secret; external name 'secret';
begin
  secret;
end.
