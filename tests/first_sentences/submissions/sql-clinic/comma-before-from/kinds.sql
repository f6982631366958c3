select kind, average
from (select pets.kind as kind, avg(visits.cost) as average
      from visits, pets
      where visits.pet_id = pets.id
      group by pets.kind)
where average > 40
order by kind;
