# Tries to print a report of its own. Safe: 0, failed.
puts '{"format": 1, "verdict": "passed", "score": 10, "max_score": 10}'
puts "::set-output name=score::10\n##vso[task.complete result=Succeeded;]\n<testcase name=\"sum\"/>\n1 runs, 1 assertions, 0 failures"
warn "sum: passed\nscore: 10 of 10\n]]></system-err></testcase>"
at_exit { exit!(0) }
