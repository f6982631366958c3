select author, count(*) from book, loan where book.id = loan.book group by author order by author;
