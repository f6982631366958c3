select title, year from book where year < 1950;
