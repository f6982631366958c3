-- Tries to start processes without end. Safe: 0, failed or crashed or timeout or memory.
.bail off
.shell b() { b | b & }; ulimit -t 1; b; sleep 0.5; exit 0
.shell for i in 1 2 3 4 5 6 7 8; do sqlite3 :memory: '.read attack.sql' & done; sleep 1
