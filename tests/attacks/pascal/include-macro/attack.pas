// Tries to put the environment and the date of the build into the program. Safe: 0, failed.
program attack;
begin
  writeln({$I %SECRET%}, {$I %HOME%}, {$I %PATH%}, {$I %USER%}, {$I %DATE%}, {$I %ROOM%});
end.
