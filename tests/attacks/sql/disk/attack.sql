-- Tries to fill the disk. Safe: 0, failed or crashed or timeout or output or memory.
.bail off
attach '/tmp/big.db' as big;
create table big.t as with recursive c(i) as (select 1 union all select i + 1 from c limit 400) select randomblob(1000000) as x from c;
select count(*) < 0 from (select writefile('file-' || value, zeroblob(16000000)) from generate_series(1, 200));
.shell for i in 1 2 3 4 5 6 7 8 9; do head -c 64M /dev/zero > file-$i; done
