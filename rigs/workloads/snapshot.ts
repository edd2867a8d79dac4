/** An object as a server answers it. */
export interface StoredObject {
  readonly metadata: {
    readonly name: string;
    readonly generateName?: string;
    readonly uid?: string;
    readonly finalizers?: readonly string[];
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly creationTimestamp?: string;
    readonly ownerReferences?: readonly {
      readonly uid?: string;
      readonly kind: string;
      readonly name: string;
      readonly controller?: boolean;
      readonly blockOwnerDeletion?: boolean;
    }[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  /** Of a revision of a template. */
  readonly revision?: number;
  readonly data?: unknown;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly involvedObject?: {readonly kind: string; readonly name: string; readonly apiVersion: string};
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly source?: {readonly component?: string};
  readonly reportingComponent?: string;
}

/** What is compared of the objects of a namespace, by resource, as texts in order. */
export type Snapshot = Readonly<Record<string, readonly string[]>>;

/** Labels with the hash of a template, on ReplicaSets and revisions. */
const hashLabels = ['pod-template-hash', 'controller-revision-hash', 'controller.kubernetes.io/hash'];
const revision = 'deployment.kubernetes.io/revision';
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Which of several nodes is taken first is chance. */
const node = /\bnode-of-[a-z0-9-]+/g;
const version = /"resourceVersion":"\d+"/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)/g;
/** Autoscalers in an order by chance. */
const several = /(multiple HPAs: \[)([^\]]*)\]/g;
/** Names of Jobs of CronJobs: the minute since 1970. */
const minute = /-2[89]\d{6}\b/g;

/**
 * What is the same in two clusters in which the same has happened: no times, no uids, no names by chance. Hashes of templates become numbers.
 *
 * @param hashes those seen before, to which new ones are added
 */
export function snapshot(objects: Readonly<Record<string, readonly StoredObject[]>>, hashes: Map<string, string>): Snapshot {
  const hashed = [...(objects['replicasets'] ?? []), ...(objects['controllerrevisions'] ?? [])];
  for (const {metadata} of hashed.toSorted((one, other) => revisionOf(one) - revisionOf(other) || before(one, other))) {
    const hash = hashLabels.map((label) => metadata.labels?.[label]).find((value) => value !== undefined);
    if (hash !== undefined && !hashes.has(hash)) hashes.set(hash, `hash${hashes.size + 1}`);
  }
  const neutral = (text: string) =>
    [...hashes]
      .reduce((all, [hash, name]) => all.replaceAll(new RegExp(`\\b${hash}\\b`, 'g'), name), text)
      .replaceAll(byChance, '$1-xxxxx')
      .replaceAll(several, (_, head: string, keys: string) => `${head}${keys.split(' ').toSorted().join(' ')}]`)
      .replaceAll(minute, '-minute')
      .replaceAll(node, 'NODE')
      .replaceAll(version, '"resourceVersion":"N"')
      .replaceAll(uuid, 'UID')
      .replaceAll(time, 'TIME');
  return Object.fromEntries(
    Object.entries(objects)
      .filter(([, found]) => found.length > 0)
      .map(([resource, found]) => {
        const texts = resource === 'events' ? eventTexts(found, neutral) : found.map((object) => neutral(JSON.stringify(shown(object))));
        return [resource, texts.toSorted()];
      }),
  );
}

/** What the server has completed names with. */
const byChance =
  /((?:[Cc]reated pod: |Deleted pod: |pods? \\?"|daemon pod [a-z0-9-]+\/|of Pod |[Pp]od [a-z0-9-]+\/)[a-z0-9-]*?)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;

/** How often something failed, or could not be done, depends on time. */
const repeated = /: Warning |: Normal (?:JobAlreadyActive|NoPods) /;

function eventTexts(events: readonly StoredObject[], neutral: (text: string) => string): string[] {
  const counts = new Map<string, number>();
  for (const {involvedObject, type, reason, message, count = 1, source, reportingComponent} of events) {
    // How far a cache is behind is chance.
    if (reason === 'FailedUpdateStatus') continue;
    const {kind, name} = involvedObject!;
    const text = neutral(`${kind} ${name}: ${type} ${reason} ${message} (${source?.component}, ${reportingComponent})`);
    counts.set(text, (counts.get(text) ?? 0) + count);
  }
  return [...counts].map(([text, count]) => (repeated.test(text) ? text : `${text} ${count} times`));
}

function shown({metadata, spec = {}, status = {}, revision: number, data}: StoredObject): object {
  const {name, generateName, labels, annotations, finalizers, generation, ownerReferences, deletionTimestamp} = metadata;
  const owners = ownerReferences?.map((owner) => [owner.kind, owner.name, owner.controller, owner.blockOwnerDeletion].join(' '));
  const isPod = 'containers' in spec;
  const {replicas, paused, suspend, minReadySeconds, selector} = spec;
  return {
    name: generateName === undefined ? name : name.replace(/-[a-z0-9]{5}$/, '-xxxxx'),
    labels: sorted(labels),
    annotations: sorted(annotations),
    finalizers,
    generation,
    owners,
    deleted: deletionTimestamp === undefined ? undefined : true,
    revision: number,
    data,
    ...(isPod
      ? podOf(spec, status)
      : {replicas, paused, suspend, minReadySeconds, selector: sorted(selector as object), status: statusOf(status)}),
  };
}

function podOf(spec: Readonly<Record<string, unknown>>, status: Readonly<Record<string, unknown>>): object {
  const {nodeName, hostname, subdomain, affinity, tolerations} = spec;
  return {phase: status['phase'], nodeName, hostname, subdomain, affinity, tolerations, claims: claimsOf(spec)};
}

function claimsOf({volumes}: Readonly<Record<string, unknown>>): object[] | undefined {
  const found = ((volumes ?? []) as {persistentVolumeClaim?: object}[]).filter((volume) => volume.persistentVolumeClaim);
  return found.length > 0 ? found : undefined;
}

function statusOf(status: Readonly<Record<string, unknown>>): object {
  const {conditions, currentMetrics, ...counts} = status;
  const texts = (conditions as {type: string; status: string; reason?: string; message?: string}[] | undefined)?.map(
    ({type, status: value, reason, message}) => `${type} ${value} ${reason}: ${message}`,
  );
  const metrics = currentMetrics === undefined ? {} : {currentMetrics: deeplySorted(currentMetrics)};
  return {...metrics, ...sorted(counts), conditions: texts};
}

function deeplySorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deeplySorted);
  if (typeof value !== 'object' || value === null) return value;
  return sorted(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, deeplySorted(member)])));
}

function sorted(members: object | undefined): object | undefined {
  return members && Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function revisionOf({metadata, revision: number}: StoredObject): number {
  return number ?? Number(metadata.annotations?.[revision] ?? 0);
}

function before({metadata: one}: StoredObject, {metadata: other}: StoredObject): number {
  return (one.creationTimestamp ?? '') < (other.creationTimestamp ?? '') ? -1 : 1;
}
