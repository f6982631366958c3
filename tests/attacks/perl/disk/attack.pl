# Tries to fill the disk. Safe: 0, failed or crashed or timeout or output or memory.
my $block = 'x' x (1 << 24);
for my $i (1 .. 200) {
    for my $folder (qw(/tmp . /dev/shm)) {
        open(my $file, '>', "$folder/file-$i") or next;
        print $file $block;
    }
}
