SELECT name
FROM pets
WHERE owner IS NULL
ORDER BY name;
