-- for each pet
select name,
       (select count(*) from visits where pet_id = pets.id) as number,
       (select ifnull(sum(cost), 0) from visits where pet_id = pets.id) as sum_cost,
from pets
order by sum_cost desc, name;
