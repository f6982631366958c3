SELECT DISTINCT name FROM member JOIN loan ON loan.member = member.id WHERE returned IS NULL ORDER BY name;
