# Tries to keep the grader busy by single bytes. Safe: 0, failed.
for i in $(seq 200); do printf x; done
