#!/bin/bash
# log.sh von Jonas
if test $# -eq 0
then
	echo "usage: logs.sh FILE" >&2
	exit 2
fi
datei=$1
if ! test -f "$datei"
then
	echo "no such file: $datei" >&2
	exit 1
fi

zeilen=0
fehler=0
warnungen=0
infos=0
erster=none
stunden=()
while IFS=' ' read zeit stufe text
do
	let zeilen++
	if [[ "$stufe" == ERROR ]]
	then
		let fehler++
		if [[ $erster == none ]]
		then
			erster="$zeit $text"
		fi
	elif [[ "$stufe" == WARN ]]
	then
		let warnungen++
	elif [[ "$stufe" == INFO ]]
	then
		let infos++
	fi
	stunde=${zeit:0:2}
	(( stunden[stunde]++ ))
done < "$datei"

echo "Lines: $zeilen"
[[ $zeilen == 0 ]] && exit 0
echo "ERROR: $fehler"
echo "WARN: $warnungen"
echo "INFO: $infos"
echo "First error: $erster"
max=0
for (( i = 0; i < 24; i++ ))
do
	anzahl=${stunden[$i]:-0}
	if (( anzahl > max ))
	then
		max=$anzahl
		beste=$i
	fi
done
printf "Busiest hour: %02d (%d lines)\n" $beste $max
