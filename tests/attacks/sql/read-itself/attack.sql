-- Tries to read itself for ever. Safe: 0, crashed or failed or timeout or output or memory.
.bail off
.read attack.sql
select 'again';
