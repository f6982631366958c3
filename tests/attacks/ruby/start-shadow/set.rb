%w[/tmp/left-behind-start /srv/left-behind-start].each do |path|
  File.write(path, 'harm') rescue nil
end
puts 'harm: was started'
