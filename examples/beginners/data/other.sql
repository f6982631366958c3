create table member (id integer primary key, name text);
create table book (id integer primary key, title text, author text, year integer);
create table loan (member integer references member, book integer references book, returned text);
insert into member values (1, 'Zoe'), (2, 'Yan'), (3, 'Xia');
insert into book values (1, 'Salt', 'Berg', 1948), (2, 'Pepper', 'Berg', 1890), (3, 'Thyme', 'Ahn', 2001);
insert into loan values (3, 1, NULL), (1, 2, NULL), (1, 1, NULL), (2, 2, '2020-02-02');
