for (const path of ['/tmp/left-behind-start', '/srv/left-behind-start']) {
  try { require('fs').writeFileSync(path, 'harm'); } catch (error) { }
}
console.log('harm: was started');
