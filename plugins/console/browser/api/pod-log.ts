import {request, requestJson} from './request.js';
import {pathSegment} from './types.js';

/** Lines that are asked for at first, and bytes that are read of a log at most. */
const firstLines = 1000;
const mostBytes = 16 * 1024 * 1024;

/** Whose log. */
export interface LogSource {
  readonly namespace: string;
  readonly name: string;
  /** The only one, or the first, if it is empty. */
  readonly container: string;
  /** Of the run before the present one: it does not grow. */
  readonly previous: boolean;
}

export interface LogHandlers {
  opened(): void;
  /** Gets its text, piece by piece. */
  take(text: string): void;
}

const pathOf = ({namespace, name}: LogSource) => `/api/v1/namespaces/${pathSegment(namespace)}/pods/${pathSegment(name)}`;

/** Reads the log of a container for as long as it grows, or the server goes on. @throws Refusal; TypeError if the connection breaks */
export async function followLog(source: LogSource, signal: AbortSignal, {opened, take}: LogHandlers): Promise<void> {
  const {container, previous} = source;
  const query = new URLSearchParams({
    tailLines: String(firstLines),
    limitBytes: String(mostBytes),
    ...(container === '' ? {} : {container}),
    ...(previous ? {previous: 'true'} : {follow: 'true'}),
  });
  const {body} = await request(`${pathOf(source)}/log?${query}`, {accept: '*/*', signal});
  opened();
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) take(decoder.decode(part.value, {stream: true}));
}

interface PodState {
  readonly status?: {readonly containerStatuses?: readonly {readonly name: string; readonly state?: {readonly running?: object}}[]};
}

/** Whether the container runs, so that its log goes on. @throws Refusal */
export async function isRunning(source: LogSource, signal: AbortSignal): Promise<boolean> {
  const {status} = await requestJson<PodState>(pathOf(source), {signal});
  const {containerStatuses = []} = status ?? {};
  const found = source.container === '' ? containerStatuses[0] : containerStatuses.find(({name}) => name === source.container);
  return found?.state?.running !== undefined;
}
