// Tries to write over what everybody may write. Safe: 0, failed.
program attack;
uses sysutils, baseunix, unix;
begin
  if fpsystem('echo x >> $ROOM/world/precious') = 0 then writeln('harm: echo') else writeln('refused');
  if fpsystem('touch $ROOM/world/left-behind') = 0 then writeln('harm: touch') else writeln('refused');
  if fpsystem('rm $ROOM/world/precious') = 0 then writeln('harm: rm') else writeln('refused');
  if fpsystem('touch /usr/bin/left-behind') = 0 then writeln('harm: touch') else writeln('refused');
  if fpsystem('touch /etc/left-behind') = 0 then writeln('harm: touch') else writeln('refused');
  if fpsystem('touch /etc/fpc.cfg.left-behind') = 0 then writeln('harm: touch') else writeln('refused');
  if fpsystem('chmod 777 $ROOM/home') = 0 then writeln('harm: chmod') else writeln('refused');
end.
