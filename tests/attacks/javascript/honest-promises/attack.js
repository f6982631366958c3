async function add(n) {
  return n === 0 ? 0 : n + (await add(n - 1));
}
add(Number(process.argv[2])).then(console.log);
