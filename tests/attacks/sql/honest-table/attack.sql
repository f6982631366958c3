create table numbers (i integer primary key);
insert into numbers with recursive s(i) as (select 1 union all select i + 1 from s where i < (select n from input)) select i from s;
create view sums as select sum(i) as total from numbers;
select total from sums;
