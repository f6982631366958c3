// Tries to leave a file for the next case. Safe: 0, failed.
program attack;
uses sysutils, baseunix, unix;
procedure meet(folder: string);
begin
  if fileexists(folder + '/left-behind-pascal') then writeln('harm: met ', folder);
  fpclose(fpopen(folder + '/left-behind-pascal', o_creat or o_wronly, &666));
end;
begin
  meet('.');
  meet('/tmp');
  meet('/var/tmp');
  meet('/dev/shm');
  meet('/tmp/.X11-unix');
  meet('/run/lock');
end.
