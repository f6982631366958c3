// Tries to kill what is not its own. Safe: 0, failed or crashed or timeout.
program attack;
uses sysutils, baseunix, unix;
var
  victim: longint;
begin
  victim := strtoint(getenvironmentvariable('VICTIM'));
  fpkill(victim, 19);
  fpkill(victim, 9);
  fpkill(-victim, 9);
  fpkill(fpgetppid, 9);
  fpkill(-1, 9);
end.
