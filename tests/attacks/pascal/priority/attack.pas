// Tries to take the time of others by a priority. Safe: 0, failed.
program attack;
uses sysutils, baseunix, unix;
begin
  if fpsystem('renice -n 19 -p $VICTIM > /dev/null 2>&1') = 0 then writeln('harm: renice') else writeln('refused');
  if fpsystem('chrt -i -p 0 $VICTIM > /dev/null 2>&1') = 0 then writeln('harm: chrt') else writeln('refused');
  if fpsystem('taskset -p 1 $VICTIM > /dev/null 2>&1') = 0 then writeln('harm: taskset') else writeln('refused');
end.
