SELECT kind, AVG(cost)
FROM pets
JOIN visits ON visits.pet_id = pets.id
WHERE AVG(cost) > 40
GROUP BY kind
ORDER BY kind;
