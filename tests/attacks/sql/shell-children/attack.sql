-- Tries to leave children that hold the output open. Safe: 0, failed or crashed or timeout.
.bail off
.shell setsid sh -c 'trap "" TERM HUP; sleep 30; : left-behind' &
.output "|sleep 30; : left-behind"
select 'done';
.quit
