let sum = 0;
for (let i = 1; i <= Number(process.argv[2]); i++) {
  sum += i;
}
process.stdout.write(sum + '\n');
