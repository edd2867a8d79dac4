import {badRequest, notFound} from '../../../../sdk/index.js';
import type {ContainerStatus, Pod} from '../../../../sdk/types/unchecked/core/v1.js';

/** What of a log is wanted. */
export interface LogOptions {
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Milliseconds since 1970 before which nothing is wanted. */
  readonly since: number | undefined;
}

/** The options of a request to a kubelet. They have been checked by the API server. @param now in milliseconds since 1970 */
export function logOptions(query: URLSearchParams, now: number): LogOptions {
  const number = (name: string) => (query.get(name) ? Number(query.get(name)) : undefined);
  const isOn = (name: string) => ['true', '1'].includes(query.get(name) ?? '');
  const seconds = number('sinceSeconds');
  const time = query.get('sinceTime');
  return {
    previous: isOn('previous'),
    timestamps: isOn('timestamps'),
    tailLines: number('tailLines'),
    limitBytes: number('limitBytes'),
    since: seconds === undefined ? (time ? Date.parse(time) : undefined) : now - seconds * 1000,
  };
}

/** The status of a container of a pod, whichever kind it is of. */
export function containerStatusOf({status = {}}: Pod, container: string): ContainerStatus | undefined {
  return [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? []), ...(status.ephemeralContainerStatuses ?? [])].find(
    ({name}) => name === container,
  );
}

/**
 * The log of a container: what it is said to write, all of it as soon as it runs.
 *
 * @param text lines that are said; undefined for one line about the start
 * @throws StatusError 400 if it has none, in the words of kubelets
 */
export function containerLog(pod: Pod, container: string, text: string | undefined, options: LogOptions): string {
  const {name = '', namespace = ''} = pod.metadata;
  const status = containerStatusOf(pod, container);
  if (!status) throw notFound({group: '', resource: 'pods', name});
  const startedAt = startOf(pod, status, options.previous);
  if (options.since !== undefined && Date.parse(startedAt) < options.since) return '';
  const said = text ?? `simulated container ${container} of pod ${namespace}/${name} has started with image ${status.image ?? ''}`;
  const all = said.replace(/\n$/, '').split('\n');
  const lines = options.tailLines === undefined ? all : all.slice(Math.max(all.length - options.tailLines, 0));
  const stamp = options.timestamps ? `${startedAt.replace('Z', '')}.000000000Z ` : '';
  const whole = lines.map((line) => `${stamp}${line}\n`).join('');
  return options.limitBytes === undefined ? whole : Buffer.from(whole).subarray(0, options.limitBytes).toString();
}

/** When the run began that the log is of. @throws StatusError 400 if there is none */
function startOf(pod: Pod, {name = '', state = {}, lastState}: ContainerStatus, previous: boolean): string {
  const what = `container ${JSON.stringify(name)} in pod ${JSON.stringify(pod.metadata.name ?? '')}`;
  const before = lastState?.terminated;
  if (previous) {
    if (!before?.containerID) throw badRequest(`previous terminated ${what} not found`);
    return before.startedAt ?? '';
  }
  const {running, terminated, waiting} = state;
  if (running) return running.startedAt ?? '';
  const ended = terminated?.containerID ? terminated : before;
  if (ended?.containerID) return ended.startedAt ?? '';
  if (terminated) throw badRequest(`${what} is terminated`);
  const reason = waiting?.reason ?? '';
  const words: Readonly<Record<string, string>> = {
    ErrImagePull: "image can't be pulled",
    ImagePullBackOff: 'trying and failing to pull image',
  };
  throw badRequest(`${what} is waiting to start: ${words[reason] ?? reason}`);
}
