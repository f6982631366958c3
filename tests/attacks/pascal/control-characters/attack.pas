// Tries to paint over the terminal and turn the text round. Safe: 0, failed.
program attack;
begin
  writeln(#27'[2J'#27']0;harm'#7#27'[8m'#155'31m'#226#128#174#226#129#166#0#13#8' passed');
  writeln(stderr, #27'[1A'#27'[2K'#27']8;;http://example.org'#7'passed'#194#157'52;c;aGFybQ=='#7);
end.
