import {request} from './request.js';

/** Lines that are asked for at first, and bytes that are read of a log at most. */
const firstLines = 1000;
const mostBytes = 16 * 1024 * 1024;

export interface LogOptions {
  readonly namespace: string;
  readonly name: string;
  /** The only one, or the first, if it is empty. */
  readonly container: string;
  /** Of the run before the present one: it does not grow. */
  readonly previous: boolean;
  readonly signal: AbortSignal;
}

/** Reads the log of a container for as long as it grows. @param take gets its text, piece by piece @throws Refusal */
export async function followLog({namespace, name, container, previous, signal}: LogOptions, take: (text: string) => void): Promise<void> {
  const query = new URLSearchParams({
    tailLines: String(firstLines),
    limitBytes: String(mostBytes),
    ...(container === '' ? {} : {container}),
    ...(previous ? {previous: 'true'} : {follow: 'true'}),
  });
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/log?${query}`;
  const {body} = await request(path, {accept: '*/*', signal});
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) take(decoder.decode(part.value, {stream: true}));
}
