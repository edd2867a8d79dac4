import type {IncomingMessage} from 'node:http';

/** If a server requests a longer delay, this one is used. */
const longestMillis = 60_000;

/** Milliseconds after which the server wants the request to be repeated; undefined if its response is final. */
export function retryDelay({statusCode, headers}: Pick<IncomingMessage, 'statusCode' | 'headers'>, now = Date.now()): number | undefined {
  const after = headers['retry-after'];
  if ((statusCode !== 429 && statusCode !== 503) || after === undefined) return undefined;
  const wanted = /^\d+$/.test(after.trim()) ? Number(after) * 1000 : Date.parse(after) - now;
  return Number.isNaN(wanted) ? undefined : Math.min(Math.max(wanted, 0), longestMillis);
}
