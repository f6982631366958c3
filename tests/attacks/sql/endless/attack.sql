-- Tries to burn time without end. Safe: 0, timeout.
with recursive c(i) as (select 1 union all select i + 1 from c) select count(*) from c where i < 0;
