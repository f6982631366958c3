-- Tries to fill the memory with one value. Safe: 0, failed or crashed or memory.
select length(randomblob(900000000)) + length(randomblob(900000000)) + length(zeroblob(900000000) || 'x');
pragma cache_size = -2000000;
pragma temp_store = memory;
create table t as with recursive c(i) as (select 1 union all select i + 1 from c) select randomblob(100000) as x from c limit 100000;
