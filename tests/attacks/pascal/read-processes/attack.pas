// Tries to read what other processes were started with. Safe: 0, failed.
program attack;
uses sysutils, baseunix, unix;
begin
  fpsystem('cat /proc/[0-9]*/environ /proc/$VICTIM/environ /proc/$VICTIM/cwd/.netrc 2> /dev/null | tr "\\0" " "');
  fpsystem('cat $ROOM/home/.netrc $ROOM/course/*/honest/notes');
end.
