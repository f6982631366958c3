// Tries to mount, unshare and trace by the tools of the system. Safe: 0, failed.
program attack;
uses sysutils, baseunix, unix;
begin
  if fpsystem('timeout 1 unshare -Ur id -u 2> /dev/null') = 0 then writeln('harm: timeout') else writeln('refused');
  if fpsystem('timeout 1 unshare -m true') = 0 then writeln('harm: timeout') else writeln('refused');
  if fpsystem('timeout 1 mount -t tmpfs none /tmp') = 0 then writeln('harm: timeout') else writeln('refused');
  if fpsystem('timeout 1 chroot / id') = 0 then writeln('harm: timeout') else writeln('refused');
  if fpsystem('timeout 1 nsenter -t 1 -m true') = 0 then writeln('harm: timeout') else writeln('refused');
  if fpsystem('timeout 1 sudo -n id') = 0 then writeln('harm: timeout') else writeln('refused');
end.
