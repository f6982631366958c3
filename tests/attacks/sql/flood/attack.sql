-- Tries to print without end. Safe: 0, output.
with recursive c(i) as (select 1 union all select i + 1 from c limit 2000000) select i, '0123456789012345678901234567890123456789' from c;
