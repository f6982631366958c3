-- Tries to break the parser with a deep expression. Safe: 0, failed or crashed.
.bail off
.limit expr_depth 1000000
.limit length 2000000000
.once deep.sql
select 'select ' || replace(hex(zeroblob(100000)), '0', '(') || '1' || replace(hex(zeroblob(100000)), '0', ')') || ';';
.read deep.sql
select json_extract(replace(hex(zeroblob(100000)), '0', '['), '$');
