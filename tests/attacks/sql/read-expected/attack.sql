-- Tries to find what is expected of it. Safe: 0, failed or crashed.
.bail off
.shell grep -rs 761995 / --include=* --exclude-dir=proc --exclude-dir=sys --exclude-dir=usr --exclude=attack.sql && echo harm: found
.shell ls -la . .. /
select name from fsdir('.');
