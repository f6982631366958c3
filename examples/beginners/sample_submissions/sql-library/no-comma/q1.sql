SELECT title year FORM book WHERE year <= 1950 ORDER BY year;
