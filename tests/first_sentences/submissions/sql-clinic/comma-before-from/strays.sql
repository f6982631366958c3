select name from pets where owner is null order by name asc;
