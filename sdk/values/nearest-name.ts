/** The known name that a mistyped one most likely means: few edits away in proportion to its length, else longer or shorter at the end. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const candidates = [...known];
  let best: string | undefined;
  let bestDistance = Math.ceil(name.length / 3) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return (
    best ??
    candidates.find(
      (candidate) => Math.min(candidate.length, name.length) >= 4 && (candidate.startsWith(name) || name.startsWith(candidate)),
    )
  );
}

/** Levenshtein distance; stops early and returns `limit` when it is at least that. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let previous = Array.from({length: right.length + 1}, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return Math.min(previous[right.length]!, limit);
}
