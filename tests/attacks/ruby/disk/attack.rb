# Tries to fill the disk. Safe: 0, failed or crashed or timeout or output or memory.
block = 'x' * (1 << 24)
200.times do |i|
  %w[/tmp . /dev/shm].each do |folder|
    File.write("#{folder}/file-#{i}", block)
  rescue SystemCallError
    next
  end
end
