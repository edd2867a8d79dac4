import {shownLines, shownText} from '../../sdk/values/shown-text.js';

/** Turns a line of JSON log into one for reading: `10:15:30.123 INFO  message  key=value`. */
export function textLine(line: string): string {
  const {level, time, msg, ...fields} = JSON.parse(line) as {level: string; time: string; msg?: string} & Record<string, unknown>;
  const {error, err = error, ...rest} = fields as Record<string, unknown> & {error?: unknown; err?: unknown};
  const parts = [time.slice(11, 23), level.toUpperCase().padEnd(5), shownText(msg ?? '', Infinity)];
  const pairs = Object.entries(rest).map(([name, value]) => `${name}=${valueText(value)}`);
  return `${parts.join(' ')}${pairs.length === 0 ? '' : `  ${shownLines(pairs.join(' '))}`}${shownLines(errorLines(err))}\n`;
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

function errorLines(error: unknown): string {
  if (error === undefined) return '';
  const {stack, message} = (error ?? {}) as {stack?: unknown; message?: unknown};
  const text = String(stack ?? message ?? JSON.stringify(error));
  return `\n${text
    .split('\n')
    .map((entry) => `    ${entry}`)
    .join('\n')}`;
}
