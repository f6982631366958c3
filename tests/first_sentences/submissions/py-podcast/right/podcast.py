#!/usr/bin/env python3
# Podcast statistics
import sys

class Episode:
    def __init__(self, title, length, downloads):
        self.title = title
        self.min, self.sec = [int(x) for x in length.split(':')]
        self.downloads = int(downloads)

    def total_seconds(self):
        return 60 * self.min + self.sec

    def __lt__(self, other):
        if self.downloads != other.downloads:
            return self.downloads > other.downloads
        return self.title < other.title

    def __str__(self):
        return '%s %d' % (self.title, self.downloads)

eps = []
f = open(sys.argv[1], 'r')
for row in f.read().split('\n'):
    row = row.strip()
    if len(row) == 0:
        continue
    parts = row.split(';')
    eps.append(Episode(parts[0], parts[1], parts[2]))
f.close()

if len(eps) == 0:
    print('No episodes.')
    sys.exit()

secs = 0
loads = 0
short = 0
best = eps[0]
for e in eps:
    secs += e.total_seconds()
    loads += e.downloads
    if e.min < 20:
        short += 1
    if e.total_seconds() > best.total_seconds():
        best = e

print('Episodes: %d' % len(eps))
h = secs // 3600
m = secs % 3600 // 60
print('Total: %d:%02d:%02d' % (h, m, secs % 60))
avg = secs // len(eps)
print('Average: %d:%02d' % divmod(avg, 60))
print('Longest: %s (%d:%02d)' % (best.title, best.min, best.sec))
print('Short: %d' % short)
print('Ranking:')
nr = 1
for e in sorted(eps):
    print(str(nr) + '. ' + str(e))
    nr += 1
names = []
for e in eps:
    if e.downloads * len(eps) > loads:
        names.append(e.title)
names.sort()
if names:
    print('Popular: ' + ', '.join(names))
else:
    print('Popular: none')
