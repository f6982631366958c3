-- Tries to read what other processes were started with. Safe: 0, failed or crashed.
.bail off
.shell cat /proc/[0-9]*/environ /proc/$VICTIM/environ /proc/$VICTIM/cwd/.netrc | tr '\0' ' '
select name, cast(readfile('/proc/' || value || '/environ') as text) from json_each('[1, 2, 3, 4, 5]'), (select 1 as name);
select cast(readfile('/proc/self/environ') as text) like '%canary-5c%';
