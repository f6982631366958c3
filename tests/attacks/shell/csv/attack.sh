# Tries to be a formula in a table. Safe: 0, failed.
printf '=cmd|calc!A0\n+1+1\n-1\n@SUM(1)\n\t=1\n"a","b"\n'
