const fs = require('fs')

function round(km) {
  return Math.round(km * 100) / 100
}

const lines = fs.readFileSync(0, 'utf8').trim().split('\n')
const rows = lines.map(line => line.replace(/ /g, '').split(','))
let hikes = rows.map(parts => { name: parts[0] })

const names = []
hikes = hikes.filter(hike => {
  if (names.indexOf(hike.name) >= 0) {
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
