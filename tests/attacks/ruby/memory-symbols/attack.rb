# Tries to fill the memory with what is never collected. Safe: 0, crashed or memory or timeout.
i = 0
all = []
loop { all << "name_#{i += 1}#{'x' * 500}".to_sym << Object.const_set("C#{i}", Class.new) }
