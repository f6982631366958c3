const fs = require('fs')
const data = fs.readFileSync('/dev/stdin', 'utf8')

const measurements = []
let alarmLevel = 0
let wrongLines = 0

data.split('\n').forEach(row => {
  const trimmed = row.trim()
  if (trimmed.length === 0 || trimmed.charAt(0) === '#') return
  const cells = trimmed.split(' ')
  if (cells[0] === 'alarm') {
    alarmLevel = Number(cells[1])
    return
  }
  const cm = Number(cells[2])
  if (cm === NaN || cells.length !== 3) {
    wrongLines++
    return
  }
  measurements.push({ river: cells[0], time: cells[1], cm })
})

const names = []
for (const m of measurements) {
  if (!names.includes(m.river)) names.push(m.river)
}
names.sort()

if (names.length === 0) {
  console.log('No levels')
} else {
  const out = []
  let best = { river: '', cm: -Infinity }
  for (const n of names) {
    const own = measurements.filter(m => m.river === n)
    const cms = own.map(m => m.cm)
    const low = Math.min(...cms)
    const high = Math.max(...cms)
    const mean = cms.reduce((a, b) => a + b, 0) / cms.length
    const d = cms[cms.length - 1] - cms[0]
    console.log(`${n} (${cms.length}): ${low} to ${high}, mean ${mean.toFixed(1)}, ${d > 0 ? 'rising' : d < 0 ? 'falling' : 'steady'}`)
    const hit = own.find(m => m.cm >= alarmLevel)
    if (hit) out.push(`Alarm: ${n} ${hit.time}`)
    if (high > best.cm) best = { river: n, cm: high }
  }
  console.log(out.length ? out.join('\n') : 'Alarm: none')
  console.log(`Highest: ${best.river} ${best.cm}`)
}
console.log(`Skipped: ${wrongLines}`)
