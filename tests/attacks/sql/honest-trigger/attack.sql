create table total (t integer);
insert into total values (0);
create trigger count_up after update on input when new.n > 0 begin
  update total set t = t + new.n;
end;
update input set n = n;
select t * (t + 1) / 2 from total;
