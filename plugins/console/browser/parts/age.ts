import {signal} from '@preact/signals';

/** The time, for ages that are shown; moves every few seconds while somebody looks. */
export const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 5000);

const units: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
];

/** How long ago something was, as kubectl says it: `45s`, `3h12m`, `5d`. */
export function ageText(since: number, at: number): string {
  if (!Number.isFinite(since)) return '<unknown>';
  const seconds = Math.max(0, Math.floor((at - since) / 1000));
  const first = units.findIndex(([, size]) => seconds >= size);
  if (first < 0) return '0s';
  const [unit, size] = units[first]!;
  const whole = `${Math.floor(seconds / size)}${unit}`;
  const next = units[first + 1];
  const rest = next ? Math.floor((seconds % size) / next[1]) : 0;
  return next && rest > 0 && seconds / size < 10 ? `${whole}${rest}${next[0]}` : whole;
}
