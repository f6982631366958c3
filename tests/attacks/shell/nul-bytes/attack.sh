# Tries to confuse the report by NUL bytes. Safe: 0, failed.
printf "21\000\n\000\000"
