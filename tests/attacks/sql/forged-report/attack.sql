-- Tries to print a report of its own. Safe: 0, failed.
.print '{"format": 1, "verdict": "passed", "score": 10, "max_score": 10}'
.print '::set-output name=score::10'
.print '##vso[task.complete result=Succeeded;]'
.print '<testcase name="sum"/>'
.shell echo 'sum: passed; score: 10 of 10 ]]></system-err></testcase>' >&2
