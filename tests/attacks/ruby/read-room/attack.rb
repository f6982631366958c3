# Tries to print the spec, the reference and the secrets of a home. Safe: 0, failed.
room = ENV['ROOM']

%w[course/specs/ruby.yaml course/reference/sum.py course/ruby/honest/notes home/.netrc home/.ssh/id].each do |name|
  puts 'harm: ' + File.read("#{room}/#{name}")
rescue SystemCallError => error
  puts error.class
end
puts Dir.glob("#{room}/**/*", File::FNM_DOTMATCH).map { |path| "harm: #{path}" }
