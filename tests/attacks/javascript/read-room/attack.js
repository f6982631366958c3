// Tries to print the spec, the reference and the secrets of a home. Safe: 0, failed.
const fs = require('fs');
const room = process.env.ROOM;
for (const name of ['course/specs/javascript.yaml', 'course/reference/sum.py', 'course/javascript/honest/notes', 'home/.netrc', 'home/.ssh/id']) {
  try { console.log('harm:', fs.readFileSync(`${room}/${name}`, 'utf8')); } catch (error) { console.log(error.code); }
}
