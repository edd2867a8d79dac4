/** Indexes from the first to the last, both included. */
type Interval = readonly [first: number, last: number];

/** What is wrong with a list of indexes (`1,3-5,7`); undefined if it is valid, as an empty one is. */
export function indexesFault(text: string, completions: number): string | undefined {
  const parsed = parseIndexes(text, completions);
  return typeof parsed === 'string' ? parsed : undefined;
}

/** How many indexes a valid list has; 0 for others. */
export function countIndexes(text: string, completions: number): number {
  const parsed = parseIndexes(text, completions);
  return typeof parsed === 'string' ? 0 : parsed.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** The first index that is in both lists; undefined if there is none. What cannot be read is left out. */
export function sharedIndex(left: string, right: string, completions: number): number | undefined {
  const intervals = (text: string) =>
    text.split(',').flatMap((part) => {
      const interval = parseInterval(part, completions);
      return typeof interval === 'string' ? [] : [interval];
    });
  const [ours, theirs] = [intervals(left), intervals(right)];
  for (let mine = 0, other = 0; mine < ours.length && other < theirs.length;) {
    const [[start, end], [from, to]] = [ours[mine]!, theirs[other]!];
    if (start <= to && from <= end) return Math.max(start, from);
    if (start <= from) mine += 1;
    else other += 1;
  }
  return undefined;
}

function parseIndexes(text: string, completions: number): Interval[] | string {
  const intervals: Interval[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = parseInterval(part, completions);
    if (typeof interval === 'string') return interval;
    const last = intervals.at(-1)?.[1];
    if (last !== undefined && last >= interval[0]) return `non-increasing order, previous: ${last}, current: ${interval[0]}`;
    intervals.push(interval);
  }
  return intervals;
}

function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split('-');
  if (parts.length > 2)
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  for (const part of parts) {
    if (!/^\+?\d+$/.test(part)) return `cannot convert string to integer for index: ${JSON.stringify(part)}`;
    if (Number(part) >= completions) return `too large index: ${JSON.stringify(part)}`;
  }
  const [first, last] = [Number(parts[0]), Number(parts.at(-1))];
  return parts.length === 2 && first >= last ? `non-increasing order, previous: ${first}, current: ${last}` : [first, last];
}
