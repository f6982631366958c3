-- Tries to read the spec, the reference and the secrets of a home. Safe: 0, failed or crashed.
.bail off
select 'harm: ' || readfile(path || '/course/specs/sql.yaml') from (select rtrim(readfile('room'), char(10)) as path);
.shell cat $ROOM/course/specs/sql.yaml $ROOM/course/reference/* $ROOM/course/sql/*/notes $ROOM/home/.netrc $ROOM/home/.ssh/id
select hex(readfile('/etc/shadow'));
select name, data from fsdir('/var/tmp') where data like '%canary-5c%';
