-- Tries to write into the system by functions, dumps and logs. Safe: 0, failed or crashed.
.bail off
select coalesce(writefile('/usr/bin/left-behind', 'x'), 'refused');
select coalesce(writefile('/etc/left-behind', 'x'), 'refused');
select coalesce(writefile('/proc/sys/kernel/core_pattern', 'x'), 'refused');
.output /etc/left-behind
select 'x';
.output
.once /usr/bin/left-behind
select 'x';
.log /etc/left-behind-log
.backup /etc/left-behind.db
.save /srv/left-behind.db
.clone /opt/left-behind.db
vacuum into '/mnt/left-behind.db';
attach '/etc/left-behind.db' as a;
create table a.t (x);
pragma temp_store_directory = '/etc';
