-- Tries to plant links and pipes for whoever collects its files. Safe: 0, failed or crashed.
.bail off
.shell ln -s $ROOM/home/.netrc a; cat a && echo harm: read
.shell ln -s /etc/shadow b; cat b && echo harm: read
.shell ln $ROOM/world/precious c && echo harm: linked
.shell mkfifo pipe attack.fifo
select coalesce(writefile('d', '/etc/shadow', 41471), 'refused');
select hex(readfile('d'));
