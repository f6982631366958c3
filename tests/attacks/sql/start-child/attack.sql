-- Tries to start the shell once more with settings of its own. Safe: 0, failed or crashed.
.bail off
.shell printf '.shell touch $ROOM/world/left-behind && echo harm: wrote\n' > .sqliterc; HOME=. sqlite3 :memory: 'select 1'; XDG_CONFIG_HOME=. sqlite3 -init .sqliterc :memory: 'select 2'
.shell LD_PRELOAD=./evil.so sqlite3 :memory: 'select 3'
.cd /
.shell pwd
