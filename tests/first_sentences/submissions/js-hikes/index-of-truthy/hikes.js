const fs = require('fs')

function round(km) {
  return Math.round(km * 100) / 100
}

const lines = fs.readFileSync(0, 'utf8').trim().split('\n')
let hikes = lines.map(line => {
  const parts = line.replace(/ /g, '').split(',')
  return { name: parts[0], km: Number(parts[1]), field: parts[2] }
})

const names = []
hikes = hikes.filter(hike => {
  if (names.indexOf(hike.name)) {
    return false
  }
  names.push(hike.name)
  return true
})
hikes.sort((a, b) => a.name.localeCompare(b.name))
for (const hike of hikes) {
  console.log(`${hike.name} ${round(hike.km)} km`)
}
const total = hikes.reduce((sum, hike) => sum + hike.km, 0)
console.log(`Total: ${round(total)}`)
const long = hikes.filter(hike => hike.km >= 10)
console.log(`Long: ${long.length}`)
const fields = new Set(hikes.map(hike => hike.field))
console.log(`Fields: ${fields.size}`)
console.log(`Swamp: ${names.includes('Swamp') ? 'yes' : 'no'}`)
