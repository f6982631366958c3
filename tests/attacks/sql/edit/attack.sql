-- Tries to have an editor and a viewer started. Safe: 0, failed or crashed.
.bail off
select edit('text', 'sh -c "cat $ROOM/home/.netrc; echo harm > /srv/left-behind"');
.once -e
select 1;
.once -x
select 2;
.excel
select 3;
.shell EDITOR='touch /srv/left-behind' BROWSER=true true
.archive --create --file /srv/left-behind.zip /etc/shadow
.dbinfo
.sha3sum
