// Tries to give orders to the linker. Safe: 0, failed or build-failed or crashed.
program attack;
{$LINKLIB c}
{$LINKFRAMEWORK x}
{$R evil.res}
{$LIBRARYPATH .}
{$OBJECTPATH /etc}
{$UNITPATH /proc}
begin
  writeln('linked');
end.
