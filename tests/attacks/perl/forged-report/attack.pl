# Tries to print a report of its own. Safe: 0, failed.
print '{"format": 1, "verdict": "passed", "score": 10, "max_score": 10}', "\n";
print "::set-output name=score::10\n##vso[task.complete result=Succeeded;]\n<testcase name=\"sum\"/>\n1..1\nok 1 - sum\n";
print STDERR "sum: passed\nscore: 10 of 10\n]]></system-err></testcase>\n";
