const fs = require('fs')

class Book {
  constructor(title, name, due) {
    this.title = title
    this.name = name
    this.due = due
  }

  late(day) {
    return day - this.due
  }

  fee(day) {
    return this.late(day) * 0.1
  }
}

const day = Number(process.argv[2])
const lines = fs.readFileSync(0, 'utf8').trim().split('\n')
const books = []
for (const line of lines) {
  const [title, name, due] = line.split('|')
  books.push(new Book(title, name, Number(due)))
}

const late = books.filter(book => book.late > 0)
late.sort((a, b) => {
  if (a.due !== b.due) {
    return a.due - b.due
  }
  return a.title < b.title ? -1 : 1
})
let sum = 0
for (const book of late) {
  console.log(`${book.title} (${book.name}): ${book.late(day)} days, ${book.fee(day).toFixed(2)}`)
  sum += book.fee(day)
}
console.log('Sum: ' + sum.toFixed(2))

const names = []
for (const book of books) {
  if (!names.includes(book.name)) {
    names.push(book.name)
  }
}
console.log('Names: ' + names.join(', '))

let left = 0
books.forEach(book => {
  left += book.due - day
})
console.log('Mean: ' + (left / books.length).toFixed(1))
