const { readFile } = require('fs/promises');

class List {
  constructor(people) {
    this.people = people;
    this.items = new Map();
    this.names = [];
  }

  add(recipe) {
    this.names.push(recipe.name);
    recipe.ingredients.forEach((one) => {
      const grams = one.grams / recipe.servings * this.people;
      this.items.set(one.item, (this.items.get(one.item) ?? 0) + grams);
    });
  }

  sorted() {
    return [...this.items].sort((a, b) => a[1] - b[1]);
  }
}

async function main() {
  const text = readFile('/dev/stdin', 'utf8');
  const recipes = JSON.parse(text);
  const list = new List(Number(process.argv[2]) + 1);
  const wanted = process.argv.slice(3);
  for (const recipe of recipes) {
    if (wanted.length === 0 || wanted.includes(recipe.name)) {
      list.add(recipe);
    }
  }
  const lines = list.sorted().map(([item, grams]) => {
    return `${item}: ${grams} g`;
  });
  console.log(list.names.join(' & '));
  console.log(lines.join('\n'));
  console.log(`Items: ${list.items.size}`);
}

main();
