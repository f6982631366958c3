// Tries to mount and unshare by the tools of the system. Safe: 0, failed.
const { spawnSync } = require('child_process');
for (const command of ['unshare -Ur id -u', 'unshare -m true', 'mount -t tmpfs none /tmp', 'mount --bind / /mnt', 'chroot / id', 'nsenter -t 1 -m true', 'sudo -n id', 'su -c id']) {
  const done = spawnSync('/bin/sh', ['-c', command], { timeout: 1000 });
  if (done.status === 0) console.log('harm:', command, String(done.stdout));
}
