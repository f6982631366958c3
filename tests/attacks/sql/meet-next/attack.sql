-- Tries to leave a file for the next case. Safe: 0, failed or crashed.
.bail off
.shell for f in . /tmp /var/tmp /dev/shm $HOME /tmp/.X11-unix /run/lock; do test -e $f/left-behind-sql && echo harm: met $f; touch $f/left-behind-sql; done 2> /dev/null
attach '/tmp/left-behind-sql.db' as a;
create table a.met (x);
select 'harm: met' from a.met;
