// Tries to leave a child that holds the output open. Safe: 0, failed.
program attack;
uses sysutils, baseunix, unix;
begin
  fpsystem('trap "" TERM HUP; setsid sh -c "sleep 30; : left-behind" &');
  writeln('done');
end.
