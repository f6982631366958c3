# Tries to read the copies of others that are being graded. Safe: 0, failed.
cat /tmp/grader-*/staged/* /tmp/grader-run-*/work/* /var/tmp/grader-*/*
