.mode list
.headers off
.separator ' '
begin;
select printf('%d', n * (n + 1) / 2) from input;
commit;
