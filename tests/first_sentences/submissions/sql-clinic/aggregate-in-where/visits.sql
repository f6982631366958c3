SELECT p.name, COUNT(v.id) AS n, COALESCE(SUM(v.cost), 0) AS total
FROM pets p
LEFT JOIN visits v ON v.pet_id = p.id
GROUP BY p.id
ORDER BY total DESC, p.name;
