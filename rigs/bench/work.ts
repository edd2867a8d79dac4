/** The kinds of work, in the order in which they are done. */
export const workNames = [
  'create',
  'get',
  'get at version 0',
  'list of 500',
  'list of 500, gzip',
  'paging by 500',
  'list by label',
  'update',
  'merge patch',
  'apply',
  'watch, bounded rate',
  'watch, full speed',
  'watch, filtered',
  'watch, 1,000 watchers',
  'delete',
] as const;

export type ObjectSize = 'small' | 'large';
export type WorkName = (typeof workNames)[number];

/** Requests of one kind, as many as `count` or as fit into `maxSeconds`. */
export interface RequestJob {
  readonly kind: 'requests';
  readonly work: Exclude<WorkName, `watch,${string}`> | 'create pod' | 'list of 20' | 'list of 20 by label' | 'path' | 'scrape';
  /** What the work `path` asks for, and in which form; JSON when absent. */
  readonly path?: string;
  readonly accept?: string;
  readonly namespace: string;
  readonly count: number;
  readonly maxSeconds: number;
  /** How many objects there are: operations pick among them. */
  readonly objects: number;
  /** Number of the first object that is created; 0 when absent. */
  readonly first?: number;
  /** How large each object is that is written: `large` is 100 KB, otherwise about 1 KB. */
  readonly size?: ObjectSize;
  /** Of the objects; ConfigMaps when absent. */
  readonly resource?: 'secrets';
  /** Uid of a ConfigMap `owner`, which owns what is created, and whose deletion they block. */
  readonly owner?: string;
}

/** Updates while `watchers` watch the namespace. */
export interface WatchJob {
  readonly kind: 'watch';
  readonly namespace: string;
  readonly writes: number;
  readonly maxSeconds: number;
  readonly objects: number;
  /** Updates per second; as fast as the server answers when absent. */
  readonly rate?: number;
}

/** Connects the watchers of the watch jobs that follow, after those of an earlier job are disconnected. */
export interface WatchersJob {
  readonly kind: 'watchers';
  readonly namespace: string;
  /** 0 leaves none. */
  readonly count: number;
  /** Each watcher has one of `shardFilters` in turn; without, all get every event. */
  readonly filtered?: boolean;
}

export interface ConnectJob {
  readonly kind: 'connect';
  /** Requests go to the first target, watches to the last one. */
  readonly targets: readonly Target[];
  readonly concurrency: number;
  /** How many connections of HTTP/2 all requests and watches share evenly. Without it each has one of HTTP/1.1. */
  readonly sessions?: number;
}

export interface NamespaceJob {
  readonly kind: 'namespace';
  readonly name: string;
}

/** Creates CustomResourceDefinitions, from number `first` on, until all are established. */
export interface DefinitionsJob {
  readonly kind: 'definitions';
  readonly first: number;
  readonly count: number;
  readonly maxSeconds: number;
}

/** Makes a ConfigMap and begins to ask for it at a steady pace, until `ProbedJob`. */
export interface ProbeJob {
  readonly kind: 'probe';
  readonly namespace: string;
  readonly everyMillis: number;
}

/** Ends the probe and answers what it has measured. */
export interface ProbedJob {
  readonly kind: 'probed';
}

/** Jobs that answer a measurement. */
export type MeasuredJob = DefinitionsJob | ProbedJob | RequestJob | WatchJob;
export type Job = ConnectJob | MeasuredJob | NamespaceJob | ProbeJob | WatchersJob;

export interface Target {
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** What a job has measured. Times are milliseconds. */
export interface Measurement {
  /** Operations done; for a watch, events delivered. */
  readonly operations: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** The longest, where that is of interest. */
  readonly max?: number;
  readonly failures: number;
  /** The first failure in words. */
  readonly firstFailure?: string;
  /** For a watch: updates made. */
  readonly writes?: number;
}

/** Marks the number that tells an event which update it belongs to. */
export const sequenceMarker = '"bench-seq":"';
export const sequenceDigits = 8;

export function objectName(index: number): string {
  return `item-${String(index).padStart(6, '0')}`;
}

const payload = Array.from(
  {length: 26},
  (_, line) => `${String.fromCharCode(97 + line)}${(line * 2_654_435_761).toString(36)}-0123456789-abcdefghij`,
).join(' ');

/** How many values the label `shard` has: `s0` and so on, each on an equal part of the objects. */
export const shardCount = 10;

/** The shard of an object: what the label says. */
export function shardOf(index: number): number {
  return index % shardCount;
}

/** Members of a large object, each with as much text as a small one has. */
const largePayload = Array.from({length: 74}, (_, member) => `,"payload-${member}":"${payload}"`).join('');

/** A ConfigMap of about 1 KB, or 100 KB. One in ten carries each value of the label `shard`. */
export function configMapText(namespace: string, index: number, sequence: number, owner?: string, size: ObjectSize = 'small'): string {
  const owners = owner === undefined ? '' : `,"ownerReferences":[${ownerText(owner)}]`;
  return (
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${objectName(index)}","namespace":"${namespace}",` +
    `"labels":{"app":"bench","shard":"s${shardOf(index)}"}${owners}},` +
    `"data":{${sequenceMarker}${String(sequence).padStart(sequenceDigits, '0')}","payload":"${payload}"${size === 'large' ? largePayload : ''}}}`
  );
}

const secretPayload = Buffer.from(payload).toString('base64');

/** A Secret with the data of a ConfigMap of about 1 KB. */
export function secretText(namespace: string, index: number, sequence: number): string {
  return (
    `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"${objectName(index)}","namespace":"${namespace}","labels":{"app":"bench"}},` +
    `"type":"Opaque","data":{"sequence":"${Buffer.from(String(sequence)).toString('base64')}","payload":"${secretPayload}"}}`
  );
}

function ownerText(uid: string): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"${uid}","blockOwnerDeletion":true}`;
}

/** A pod that keeps the restricted Pod Security Standard, with requests and limits. */
export function podText(namespace: string, index: number): string {
  const resources = '{"requests":{"cpu":"1m","memory":"1Mi"},"limits":{"cpu":"2m","memory":"2Mi"}}';
  const own = '{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}';
  return (
    `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${objectName(index)}","namespace":"${namespace}","labels":{"app":"bench"}},` +
    `"spec":{"securityContext":{"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}},` +
    `"containers":[{"name":"main","image":"example.com/main:1","resources":${resources},"securityContext":${own}}]}}`
  );
}
