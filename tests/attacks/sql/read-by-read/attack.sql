-- Tries to read files and commands as SQL. Safe: 0, failed or crashed.
.bail off
.read /etc/shadow
.read "|cat $ROOM/home/.netrc"
.read /proc/1/environ
.read "|printf '.shell cat $ROOM/home/.ssh/id\n'"
