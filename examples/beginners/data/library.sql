create table member (id integer primary key, name text);
create table book (id integer primary key, title text, author text, year integer);
create table loan (member integer references member, book integer references book, returned text);
insert into member values (1, 'Ines'), (2, 'Bela'), (3, 'Carl'), (4, 'Dana');
insert into book values (1, 'The Sea Road', 'Moss', 1931), (2, 'Winter Apples', 'Abel', 1949), (3, 'A Small Engine', 'Moss', 1987),
    (4, 'Lanterns', 'Quist', 1902), (5, 'Nine Doors', 'Lund', 1950);
insert into loan values (1, 1, '2024-03-01'), (1, 3, NULL), (2, 5, NULL), (2, 2, NULL), (3, 5, '2024-05-09'), (1, 3, '2023-01-02');
