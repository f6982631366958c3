# Tries to leave a file of a tebibyte that is not there. Safe: 0, failed or crashed.
truncate -s 1T big; truncate -s 1T "$HOME/big"; exit 0
