-- Tries to fill the memory with a table that does not end. Safe: 0, failed or crashed or memory or timeout.
create table t as with recursive c(i) as (select 1 union all select i + 1 from c) select i, hex(randomblob(1000)) from c;
