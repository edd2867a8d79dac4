import type {IncomingMessage} from 'node:http';

/** A server that asks for more is asked again after this long. */
const longestMillis = 60_000;

/** Milliseconds after which the server wants the request again; undefined when its answer is final. */
export function retryDelay({statusCode, headers}: Pick<IncomingMessage, 'statusCode' | 'headers'>, now = Date.now()): number | undefined {
  const after = headers['retry-after'];
  if ((statusCode !== 429 && statusCode !== 503) || after === undefined) return undefined;
  const wanted = /^\d+$/.test(after.trim()) ? Number(after) * 1000 : Date.parse(after) - now;
  return Number.isNaN(wanted) ? undefined : Math.min(Math.max(wanted, 0), longestMillis);
}
