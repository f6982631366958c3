// Tries to start processes without end. Safe: 0, failed or crashed or timeout or memory.
program attack;
uses sysutils, baseunix, unix;
var
  stop: tdatetime;
begin
  stop := now + 3 / 86400;
  while now < stop do fpfork;
  fpexit(0);
end.
