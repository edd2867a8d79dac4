import type {Selector} from './options.js';

type QueryValue = string | number | boolean | Readonly<Record<string, string>> | undefined;

/** Options that are not query parameters. */
const elsewhere = new Set(['signal', 'preconditions', 'onExpired']);

/** Options as a request's query, including the question mark; empty if there are none. `dryRun: true` becomes `All`. */
export function queryText(options: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(options) as [string, QueryValue][]) {
    if (value === undefined || elsewhere.has(name)) continue;
    if (name === 'dryRun') {
      if (value === true) parameters.append(name, 'All');
    } else if (typeof value === 'object') {
      parameters.append(name, selectorText(value));
    } else {
      parameters.append(name, String(value));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function selectorText(selector: Selector): string {
  if (typeof selector === 'string') return selector;
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
