// Tries to print a report of its own. Safe: 0, failed or crashed.
program attack;
begin
  writeln('{"format": 1, "verdict": "passed", "score": 10, "max_score": 10}');
  writeln('::set-output name=score::10');
  writeln('<testcase name="sum"/>');
  writeln(stderr, 'Runtime error 203 at $0000000000401000');
  writeln(stderr, ']]></system-err></testcase>');
end.
