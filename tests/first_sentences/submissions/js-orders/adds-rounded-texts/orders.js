const fs = require("fs");
const text = fs.readFileSync("/dev/stdin").toString();

let orders = text.split("\n").filter((line) => line.length > 0);

if (orders.length == 0) {
    console.log("No orders");
} else {
    let spent = {};
    let total = 0;
    let dearest = null;
    let highest = -1;
    let most = 0;
    for (let i = 0; i < orders.length; i++) {
        let words = orders[i].split(" ");
        let number = parseInt(words[1]);
        let price = parseFloat(words[2]);
        let cost = (number * price).toFixed(2);
        if (spent[words[0]] === undefined) {
            spent[words[0]] = 0;
        }
        spent[words[0]] += number * price;
        total += cost;
        if (price > highest) {
            highest = price;
            dearest = words[0];
        }
        most = Math.max(most, number);
    }
    let names = Object.keys(spent);
    names.sort();
    names.forEach((name) => console.log(name + ": " + spent[name].toFixed(2)));
    console.log("Total: " + total);
    console.log("Dearest: " + dearest);
    console.log("Most: " + most);
}
