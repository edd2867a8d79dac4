interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly names: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The fields of a schedule; names count from the lower bound. */
const fields: readonly Bounds[] = [
  {low: 0, high: 59, names: []},
  {low: 0, high: 23, names: []},
  {low: 1, high: 31, names: []},
  {low: 1, high: 12, names: months},
  {low: 0, high: 6, names: days},
];

const descriptors = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);
const durationPattern = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/**
 * Why a schedule is invalid. A schedule has five fields (minute, hour, day of the month, month, day of the week) with lists of ranges and
 * steps, or is one of `@hourly`, `@daily`, … or `@every DURATION`; a time zone may precede it (`TZ=Europe/Rome `). Undefined if it is
 * valid.
 */
export function cronScheduleFault(schedule: string): string | undefined {
  const zone = /^(?:TZ|CRON_TZ)=(\S*)(.*)$/s.exec(schedule);
  if (zone && !isTimeZone(zone[1]!)) return `provided bad location ${zone[1]}: unknown time zone ${zone[1]}`;
  const rest = (zone ? zone[2]! : schedule).trim();
  if (rest === '') return 'empty spec string';
  if (rest.startsWith('@')) return descriptorFault(rest);
  const parts = rest.split(/\s+/);
  if (parts.length !== fields.length) return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, part] of parts.entries()) {
    const fault = fieldFault(part, fields[index]!);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Whether a time zone is known by exactly this name. Offsets and the local zone have no name in the time zone database. */
export function isTimeZone(name: string): boolean {
  // The runtime ignores case in names; the controllers that read them do not.
  if (!/^[A-Z][^/]*(?:\/[A-Z][^/]*)*$/.test(name)) return false;
  try {
    const known = new Intl.DateTimeFormat('en', {timeZone: name}).resolvedOptions().timeZone;
    return known === name || known.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

function descriptorFault(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  const every = '@every ';
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(every.length);
  return durationPattern.test(duration)
    ? undefined
    : `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
}

function fieldFault(field: string, bounds: Bounds): string | undefined {
  for (const expression of field.split(',').filter((part) => part !== '')) {
    const fault = rangeFault(expression, bounds);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** `*`, `?`, a number or name, or a range of them; each with an optional step after a slash. */
function rangeFault(expression: string, bounds: Bounds): string | undefined {
  const [range = '', step, ...furtherSteps] = expression.split('/');
  const [first = '', last, ...furtherEnds] = range.split('-');
  let start = bounds.low;
  let end = bounds.high;
  if (first !== '*' && first !== '?') {
    const low = valueOf(first, bounds);
    if (typeof low === 'string') return low;
    start = low;
    if (furtherEnds.length > 0) return `too many hyphens: ${expression}`;
    const high = last === undefined ? low : valueOf(last, bounds);
    if (typeof high === 'string') return high;
    // `N/STEP` runs from N to the end.
    if (last !== undefined || step === undefined) end = high;
  }
  if (furtherSteps.length > 0) return `too many slashes: ${expression}`;
  const stride = step === undefined ? 1 : numberOf(step);
  if (typeof stride === 'string') return stride;
  if (start < bounds.low) return `beginning of range (${start}) below minimum (${bounds.low}): ${expression}`;
  if (end > bounds.high) return `end of range (${end}) above maximum (${bounds.high}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return stride === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** A number, or the reason why the text is not one. */
function valueOf(text: string, {low, names}: Bounds): number | string {
  const index = names.indexOf(text.toLowerCase());
  return index >= 0 ? index + low : numberOf(text);
}

function numberOf(text: string): number | string {
  if (!/^[-+]?\d{1,9}$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  const value = Number(text);
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}
