const polls = JSON.parse(require('fs').readFileSync(0, 'utf8'));

function copy(poll) {
  return { ...poll, votes: [...poll.votes] };
}

function day(poll) {
  const date = new Date(poll.year, poll.month - 1, poll.day);
  return date.toDateString();
}

function count(value) {
  return typeof value === 'array' ? value.length : 1;
}

for (const poll of polls) {
  const other = copy(poll);
  other.votes.push(0);
  const sorted = [...poll.votes].sort((a, b) => a - b);
  console.log(`${poll.name}: ${day(poll)}`);
  console.log(`Votes: ${poll.votes.join(' ')}, lowest ${sorted[0]}, with one more ${other.votes.length}`);
  console.log(`Questions: ${count(poll.question)}`);
}
