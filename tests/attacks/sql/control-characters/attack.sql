-- Tries to paint over the terminal and turn the text round. Safe: 0, failed or crashed.
.mode list
select char(27) || '[2J' || char(27) || ']0;harm' || char(7) || char(0x9b) || '31m' || char(0x202e) || char(0x2066) || char(13) || char(8) || ' passed';
select cast(x'00ff9b1b5b386d' as text);
.shell printf '\033[1A\033[2K\033]8;;http://example.org\007passed' >&2
