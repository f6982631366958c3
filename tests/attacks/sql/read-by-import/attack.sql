-- Tries to import files and commands as tables. Safe: 0, failed or crashed.
.bail off
.mode list
.import /etc/shadow shadow
.import "|cat $ROOM/home/.netrc $ROOM/course/*/honest/notes" secrets
.import --csv "|cat /proc/*/environ" environ
select * from secrets;
select * from shadow;
