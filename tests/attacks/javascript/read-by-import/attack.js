// Tries to load a file of the course as a module or as data. Safe: 0, failed.
const { createRequire } = require('module');
for (const name of ['/course/javascript/honest/attack.js', '/course/javascript/honest/notes', '/home/.netrc']) {
  try { console.log('harm:', createRequire('/')(process.env.ROOM + name)); } catch (error) { console.log(error.name); }
}
