select 'Lanterns', 1902;
select 'The Sea Road', 1931;
select 'Winter Apples', 1949;
