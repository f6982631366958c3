# Tries to start the interpreter once more with what it loads first. Safe: 0, failed or crashed or memory.
File.write('evil.rb', "File.write(ENV['ROOM'] + '/world/left-behind', 'x')\nputs 'harm: wrote'\n")
env = { 'RUBYOPT' => '-r./evil', 'RUBYLIB' => '.', 'GEM_HOME' => ENV['ROOM'], 'LD_PRELOAD' => './evil.so' }
puts system(env, 'ruby', '-e', '1', err: File::NULL).inspect
puts RubyVM::InstructionSequence.load_from_binary('YARB' + 'x' * 100).inspect rescue puts $!.class
