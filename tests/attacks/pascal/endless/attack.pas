// Tries to burn time without end. Safe: 0, timeout.
program attack;
uses sysutils, baseunix, unix;
var
  stop: tdatetime;
begin
  fpsignal(15, signalhandler(1));
  fpsignal(24, signalhandler(1));
  stop := now + 60 / 86400;
  while now < stop do ;
end.
