# Tries to take the name of another process. Safe: 0, failed.
$0 = 'grader class perl: left-behind';
if (!fork) { $0 = "\e[2J[kworker/0:1]"; sleep 30; }
print "done\n";
exit 0;
