import sys

class Episode:
    def __init__(self, title, secs, loads):
        self.title = title
        self.secs = secs
        self.loads = loads

liste = []
datei = open(sys.argv[1])
for zeile in datei:
    zeile = zeile.strip()
    if zeile == '': continue
    t, l, d = zeile.split(';')
    l = l.split(':')
    liste.append(Episode(t, int(l[0])*60 + int(l[1]), int(d)))
datei.close()

gesamt = 0
downloads = 0
for e in liste:
    gesamt += e.secs
    downloads += e.loads
schnitt = gesamt // len(liste)
mittel = downloads / len(liste)

print('Episodes:', len(liste))
print('Total: %d:%02d:%02d' % (gesamt // 3600, gesamt // 60 % 60, gesamt % 60))
print('Average: %d:%02d' % (schnitt // 60, schnitt % 60))
laengste = liste[0]
kurz = 0
for e in liste:
    if e.secs > laengste.secs: laengste = e
    if e.secs < 1200: kurz += 1
print('Longest: %s (%d:%02d)' % (laengste.title, laengste.secs // 60, laengste.secs % 60))
print('Short:', kurz)
print('Ranking:')
for i, e in enumerate(sorted(liste, key=lambda e: (-e.loads, e.title))):
    print('%d. %s %d' % (i + 1, e.title, e.loads))
beliebt = sorted(e.title for e in liste if e.loads > mittel)
print('Popular:', ', '.join(beliebt) or 'none')
