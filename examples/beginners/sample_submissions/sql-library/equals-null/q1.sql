SELECT title, year FROM book WHERE year < 1950 ORDER BY year;
