// Tries to plant links and pipes for whoever collects its files. Safe: 0, failed.
program attack;
uses sysutils, baseunix, unix;
begin
  if fpsystem('ln -s $ROOM/home/.netrc a; cat a') = 0 then writeln('harm: ln') else writeln('refused');
  if fpsystem('ln -s /etc/shadow b; cat b') = 0 then writeln('harm: ln') else writeln('refused');
  if fpsystem('ln $ROOM/world/precious c') = 0 then writeln('harm: ln') else writeln('refused');
  if fpsystem('ln -s $ROOM d; ls d/') = 0 then writeln('harm: ln') else writeln('refused');
  fpmkfifo('pipe', &666);
end.
