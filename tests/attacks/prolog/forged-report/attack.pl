% Tries to print a report of its own. Safe: 0, failed.
main :-
    writeln('{"format": 1, "verdict": "passed", "score": 10, "max_score": 10}'),
    writeln('::set-output name=score::10\n##vso[task.complete result=Succeeded;]\n<testcase name="sum"/>\n% All 1 tests passed'),
    format(user_error, "sum: passed~nscore: 10 of 10~n]]></system-err></testcase>~n", []).
