import {setTimeout as pause} from 'node:timers/promises';
import type {Measured, PodUsage} from './measured.js';
import {snapshot, type Snapshot, type StoredObject} from './snapshot.js';

/** The requests that a scenario makes; those of the administrator. */
export interface ClusterClient {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  json<T>(): T;
}

/** Nothing has changed for so long: then a step is over. */
const quietMillis = 1200;
const lookMillis = 100;
const longestStepMillis = 120_000;

const groups: Readonly<Record<string, string>> = {
  deployments: 'apis/apps/v1',
  replicasets: 'apis/apps/v1',
  statefulsets: 'apis/apps/v1',
  daemonsets: 'apis/apps/v1',
  controllerrevisions: 'apis/apps/v1',
  jobs: 'apis/batch/v1',
  cronjobs: 'apis/batch/v1',
  poddisruptionbudgets: 'apis/policy/v1',
  horizontalpodautoscalers: 'apis/autoscaling/v2',
};
/** What is compared. */
const compared = [
  'deployments',
  'replicasets',
  'replicationcontrollers',
  'statefulsets',
  'daemonsets',
  'controllerrevisions',
  'jobs',
  'cronjobs',
  'poddisruptionbudgets',
  'horizontalpodautoscalers',
  'persistentvolumeclaims',
  'pods',
  'events',
];
const minuteMillis = 60_000;

/** A namespace of a cluster in which a scenario happens. It plays the machines: pods run when it says so. */
export class Cluster {
  /** What there was at the end of each step. */
  readonly steps: {readonly step: string; readonly objects: Snapshot}[] = [];
  /** That of the scenario, by which its nodes are labelled. */
  readonly name: string;
  readonly #client: ClusterClient;
  readonly #namespace: string;
  /** Hashes of templates, in the order in which they were seen. */
  readonly #hashes = new Map<string, string>();
  /** The last one that was waited for. */
  #minute = -1;

  /** What is measured of its pods. */
  readonly measured: Measured;

  private constructor(client: ClusterClient, namespace: string, measured: Measured) {
    this.measured = measured;
    this.#client = client;
    this.#namespace = namespace;
    this.name = namespace;
  }

  /** In a new namespace, once pods can be made there. */
  static async open(client: ClusterClient, namespace: string, measured: Measured): Promise<Cluster> {
    const made = await client.post('/api/v1/namespaces', {metadata: {name: namespace}});
    if (made.status !== 201) throw new Error(`namespace ${namespace}: ${made.status}`);
    const cluster = new Cluster(client, namespace, measured);
    for (const deadline = Date.now() + longestStepMillis; ; await pause(lookMillis)) {
      if ((await client.get(cluster.path('serviceaccounts', 'default'))).status === 200) return cluster;
      if (Date.now() > deadline) throw new Error(`namespace ${namespace} gets no service account`);
    }
  }

  path(resource: string, name = ''): string {
    return `/${groups[resource] ?? 'api/v1'}/namespaces/${this.#namespace}/${resource}${name === '' ? '' : `/${name}`}`;
  }

  async create(resource: string, name: string, spec: object, metadata: object = {}): Promise<void> {
    check(await this.#client.post(this.path(resource), {metadata: {name, ...metadata}, spec}), `create ${resource} ${name}`);
  }

  async patch(resource: string, name: string, patch: object): Promise<void> {
    check(await this.#client.patch(this.path(resource, name), patch), `patch ${resource} ${name}`);
  }

  async delete(resource: string, name: string, query = ''): Promise<void> {
    check(await this.#client.delete(`${this.path(resource, name)}${query}`), `delete ${resource} ${name}`);
  }

  /** A node for the pods of the scenario. */
  async addNode(name: string): Promise<void> {
    const labels = {scenario: this.name};
    check(await this.#client.post('/api/v1/nodes', {metadata: {name: this.#node(name), labels}}), `create node ${name}`);
    // New nodes are tainted until they report.
    await this.patchNode(name, {spec: {taints: null}});
  }

  async patchNode(name: string, patch: object): Promise<void> {
    check(await this.#client.patch(`/api/v1/nodes/${this.#node(name)}`, patch), `patch node ${name}`);
  }

  #node(name: string): string {
    return `node-of-${this.name}-${name}`;
  }

  async evict(pod: string): Promise<void> {
    check(await this.#client.post(`${this.path('pods', pod)}/eviction`, {metadata: {name: pod}}), `evict ${pod}`);
  }

  /** Ends a pod. */
  async end(pod: string, phase: 'Failed' | 'Succeeded', exitCode = phase === 'Failed' ? 1 : 0): Promise<void> {
    const finishedAt = new Date().toISOString().replace(/\.\d+/, '');
    const state = {terminated: {exitCode, reason: 'End', finishedAt, startedAt: finishedAt}};
    const containerStatuses = [{name: 'main', state, ready: false, restartCount: 0, image: 'i', imageID: 'i'}];
    await this.patch('pods', `${pod}/status`, {status: {phase, containerStatuses}});
  }

  /** Ends all pods that have not ended. */
  async endAll(phase: 'Failed' | 'Succeeded'): Promise<void> {
    for (const {metadata} of await this.active()) await this.end(metadata.name, phase);
  }

  /** Pods that have not ended. */
  async active(): Promise<StoredObject[]> {
    return (await this.pods()).filter(({status}) => !['Failed', 'Succeeded'].includes(String(status?.['phase'])));
  }

  /** Waits for the next minute unless the present one has just begun. @param isAnother whether it must be one that has not been waited for */
  async beginMinute(isAnother = false): Promise<void> {
    const minute = () => Math.floor(Date.now() / minuteMillis);
    for (; (isAnother && minute() === this.#minute) || Date.now() % minuteMillis > minuteMillis / 2;) await pause(lookMillis);
    this.#minute = minute();
  }

  /** Has each pod use so much: of what has been measured before nothing is left. */
  async use(usage: PodUsage, filter: (index: number) => boolean = () => true): Promise<void> {
    this.measured.usage.clear();
    for (const [index, {metadata}] of (await this.active()).entries()) if (filter(index)) this.measured.usage.set(metadata.name, usage);
  }

  /** Waits until an event has a reason. */
  async untilEvent(wanted: string): Promise<void> {
    await this.#wait(`the event ${wanted}`, async () => (await this.list('events')).some(({reason}) => reason === wanted));
  }

  async #wait(what: string, isThere: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + longestStepMillis; !(await isThere()); await pause(lookMillis))
      if (Date.now() > deadline) throw new Error(`${this.name} does not come to ${what}`);
  }

  /** Plays the scheduler, for pods that are for one node, and the kubelets, for pods that are to go. */
  async #place(): Promise<void> {
    for (const {metadata, spec} of await this.list('pods')) {
      const node = targetOf(spec);
      const isHeld = (metadata.finalizers ?? []).length > 0;
      if (metadata.deletionTimestamp && spec?.['nodeName'] && !isHeld) await this.delete('pods', metadata.name, '?gracePeriodSeconds=0');
      else if (node !== undefined && !spec?.['nodeName'] && !metadata.deletionTimestamp)
        check(
          await this.#client.post(`${this.path('pods', metadata.name)}/binding`, {
            metadata: {name: metadata.name},
            target: {kind: 'Node', name: node},
          }),
          `bind ${metadata.name}`,
        );
    }
  }

  async list(resource: string): Promise<StoredObject[]> {
    const answer = await this.#client.get(this.path(resource));
    check(answer, `list ${resource}`);
    return answer.json<{items: StoredObject[]}>().items;
  }

  /** Pods that are not being deleted, by age and name. */
  async pods(): Promise<StoredObject[]> {
    return (await this.list('pods')).filter(({metadata}) => !metadata.deletionTimestamp);
  }

  /** Marks the pods that wait as running and ready: all of them, or those that the filter takes. */
  async run(filter: (pod: StoredObject) => boolean = () => true): Promise<void> {
    await this.#place();
    const waiting = (await this.pods()).filter(({status}) => status?.['phase'] === 'Pending');
    const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, '');
    const status = {phase: 'Running', conditions: [{type: 'Ready', status: 'True', lastTransitionTime}]};
    // All at once, so that it does not matter how soon controllers react; one may have gone meanwhile.
    await Promise.all(
      waiting.filter(filter).map(async ({metadata}) => {
        const answer = await this.#client.patch(this.path('pods', `${metadata.name}/status`), {status});
        if (answer.status !== 404) check(answer, `run ${metadata.name}`);
      }),
    );
  }

  /** Waits until an object is as wanted. */
  async until(resource: string, name: string, isWanted: (object: StoredObject) => boolean): Promise<void> {
    await this.#wait(`${resource} ${name} as wanted`, async () => {
      await this.#place();
      const found = (await this.list(resource)).find(({metadata}) => metadata.name === name);
      return found !== undefined && isWanted(found);
    });
  }

  /** Waits until nothing changes any more, and records what there is under the name of the step. */
  async settle(step: string): Promise<void> {
    let last = '';
    let objects: Snapshot = {};
    let since = Date.now();
    for (const deadline = Date.now() + longestStepMillis; Date.now() - since < quietMillis; await pause(lookMillis)) {
      await this.#place();
      objects = snapshot(
        Object.fromEntries(await Promise.all(compared.map(async (each) => [each, await this.list(each)] as const))),
        this.#hashes,
      );
      const text = JSON.stringify(objects);
      if (text !== last || !(await this.#isSeen())) since = Date.now();
      last = text;
      if (Date.now() > deadline) throw new Error(`${step}: it never settles`);
    }
    this.steps.push({step, objects});
  }

  /** Whether the controllers have looked at everything that was changed: a busy machine may be quiet for long before they do. */
  async #isSeen(): Promise<boolean> {
    const [deployments, sets, controllers, stateful, daemons, budgets, jobs, pods] = await Promise.all(
      ['deployments', 'replicasets', 'replicationcontrollers', 'statefulsets', 'daemonsets', 'poddisruptionbudgets', 'jobs', 'pods'].map(
        (resource) => this.list(resource),
      ),
    );
    const active = pods!.filter(({status}) => !['Failed', 'Succeeded'].includes(String(status?.['phase'])));
    const living = active.filter(({metadata}) => !metadata.deletionTimestamp);
    const seenPods = [...sets!, ...controllers!, ...stateful!].every((set) => {
      const own = owned(set.metadata.ownerReferences || !stateful!.includes(set) ? living : pods!, set);
      const [replicas, ready] = counts(set);
      return replicas === own.length && ready === own.filter(isReady).length;
    });
    const seenSets = deployments!.every((deployment) => {
      const own = owned(sets!, deployment).map(counts);
      const [replicas, ready] = counts(deployment);
      const sum = (at: 0 | 1) => own.reduce((all, each) => all + each[at]!, 0);
      return replicas === sum(0) && ready === sum(1);
    });
    const seenNodes = daemons!.every((daemon) => {
      const number = (name: string) => Number(daemon.status?.[name] ?? 0);
      const nodesOf = (found: StoredObject[]) => new Set(found.map(({spec}) => spec?.['nodeName'])).size;
      if (number('numberMisscheduled') > 0) return true;
      return (
        number('currentNumberScheduled') === nodesOf(owned(pods!, daemon)) &&
        number('numberReady') === nodesOf(owned(living, daemon).filter(isReady))
      );
    });
    const seenJobs = jobs!.every((job) => isOver(job) || Number(job.status?.['active'] ?? 0) === owned(living, job).length);
    const seenAll = [...deployments!, ...sets!, ...controllers!, ...stateful!, ...daemons!, ...budgets!].every(
      ({metadata, status}) =>
        metadata.deletionTimestamp !== undefined ||
        status?.['observedGeneration'] === metadata.generation ||
        JSON.stringify(status).includes('SyncFailed'),
    );
    return seenPods && seenSets && seenNodes && seenJobs && seenAll;
  }

  /**
   * Marks pods as running and settles, again and again, until no pod waits.
   *
   * @param isOneByOne whether what happens depends on how many of them are seen to run at once: then it is always one
   */
  async runAll(step: string, isOneByOne = false): Promise<void> {
    for (let round = 1; ; round++) {
      await this.settle(`${step}, round ${round}`);
      const [first] = (await this.pods()).filter(({status}) => status?.['phase'] === 'Pending');
      if (!first) return;
      await this.run(isOneByOne ? ({metadata}) => metadata.name === first.metadata.name : undefined);
    }
  }
}

function check({status, json}: Answer, what: string): void {
  if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(json())}`);
}

function owned(dependents: readonly StoredObject[], {metadata}: StoredObject): StoredObject[] {
  return dependents.filter(({metadata: {ownerReferences}}) => ownerReferences?.some(({uid}) => uid === metadata.uid));
}

function counts({status}: StoredObject): [replicas: number, ready: number] {
  return [Number(status?.['replicas'] ?? 0), Number(status?.['readyReplicas'] ?? 0)];
}

function isOver({status}: StoredObject): boolean {
  const conditions = status?.['conditions'] as {type: string; status: string}[] | undefined;
  return conditions?.some(({type, status: value}) => ['Complete', 'Failed', 'FailureTarget'].includes(type) && value === 'True') ?? false;
}

/** The node that a pod is for by its affinity. */
function targetOf(spec: StoredObject['spec']): string | undefined {
  const found = /"matchFields":\[\{"key":"metadata.name","operator":"In","values":\["([^"]+)"\]/.exec(
    JSON.stringify(spec?.['affinity'] ?? {}),
  );
  return found?.[1];
}

function isReady({status}: StoredObject): boolean {
  return (
    (status?.['conditions'] as {type: string; status: string}[] | undefined)?.some(
      (each) => each.type === 'Ready' && each.status === 'True',
    ) ?? false
  );
}
