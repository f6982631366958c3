# Tries to unshare, mount and trace by numbers of system calls. Safe: 0, failed.
{ unshare: [272, 0x10000000], mount: [165, 0, 0, 0, 4096, 0], ptrace: [101, 16, ENV['VICTIM'].to_i, 0, 0], chroot: [161, 0], setuid: [105, 0], reboot: [169, 0, 0, 0, 0], bpf: [321, 0, 0, 0], keyctl: [250, 0, -3] }.each do |name, call|
  begin
    puts "harm: #{name}" if syscall(*call) >= 0 && name != :setuid
  rescue SystemCallError => error
    puts error.class
  end
end
