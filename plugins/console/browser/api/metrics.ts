import {request} from './request.js';
import {samplesOf, type Reading} from './samples.js';

/** @throws Refusal */
export async function readMetrics(signal: AbortSignal): Promise<Reading> {
  const text = await (await request('/metrics', {accept: 'text/plain', signal})).text();
  return {at: Date.now() / 1000, samples: samplesOf(text)};
}
