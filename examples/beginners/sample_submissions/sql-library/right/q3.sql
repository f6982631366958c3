SELECT author, count(loan.book) FROM book LEFT JOIN loan ON loan.book = book.id GROUP BY author ORDER BY author;
