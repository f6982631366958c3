-- Tries to mount and unshare by the tools of the system. Safe: 0, failed.
for _, command in ipairs{'unshare -Ur id -u', 'unshare -m true', 'mount -t tmpfs none /tmp', 'mount --bind / /mnt', 'chroot / id', 'nsenter -t 1 -m true', 'sudo -n id', 'strace -p $VICTIM'} do
  print(os.execute('timeout 1 ' .. command .. ' > /dev/null 2>&1') and 'harm: ' .. command or 'refused')
end
