# Tries to say that it is right. Safe: 0, failed.
printf 'passed\n10 of 10 points\nfull marks\n'
