-- Tries to burn time in one pattern and one join. Safe: 0, timeout.
.timeout 100000
select replace(hex(zeroblob(20000)), '0', 'a') like '%a%a%a%a%a%a%a%a%a%b';
select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b where a.value + b.value < 0;
