# Tries to print without end. Safe: 0, output.
text = 'x' * 65536
stop = Time.now + 10
while Time.now < stop
  $stdout.write(text)
  $stderr.write(text)
end
