with recursive numbers(i) as (
  select 1
  union all
  select i + 1 from numbers, input where i < n
)
select sum(i) from numbers;
