const units: Readonly<Record<string, number>> = {ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000};
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gy;

/** Milliseconds of a duration as flags give it (`2m`, `1h30m`, `500ms`, `0`); undefined for other texts. */
export function durationMillis(text: string): number | undefined {
  if (text === '0') return 0;
  let sum = 0;
  let end = 0;
  for (const [all, amount, unit] of text.matchAll(part)) {
    sum += Number(amount) * units[unit!]!;
    end += all.length;
  }
  return end > 0 && end === text.length ? sum : undefined;
}
