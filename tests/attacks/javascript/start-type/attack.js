// Tries to be taken for a module with other rules, and to shadow what node has. Safe: 10, passed.
import fs from 'fs';
import { sum } from '#sum';
if (fs.harm) console.log('harm: shadowed');
console.log(sum(Number(process.argv[2])));
