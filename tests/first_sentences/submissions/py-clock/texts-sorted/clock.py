def to_minutes(clock):
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def add_minutes(clock, more):
    total = (to_minutes(clock) + more) % (24 * 60)
    return f"{total // 60:02}:{total % 60:02}"


def longest_gap(times):
    ordered = [to_minutes(time) for time in sorted(times)]
    longest = 0
    for place in range(1, len(ordered)):
        longest = max(longest, ordered[place] - ordered[place - 1])
    return longest


def merge(first, second):
    merged = []
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i] <= second[j]:
            merged.append(first[i])
            i += 1
        else:
            merged.append(second[j])
            j += 1
    return merged + first[i:] + second[j:]


def by_hour(times):
    counts = {}
    for time in times:
        hour = to_minutes(time) // 60
        counts[hour] = counts.get(hour, 0) + 1
    return [[hour, counts[hour]] for hour in sorted(counts)]
