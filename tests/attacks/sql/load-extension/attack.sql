-- Tries to load native code. Safe: 0, failed or crashed.
.bail off
.load ./evil
.load /usr/lib/x86_64-linux-gnu/libc.so.6 system
select load_extension('./evil.so', 'evil_init');
select load_extension('/proc/self/fd/3');
pragma trusted_schema = on;
select fts3_tokenizer('simple', x'4141414141414141');
