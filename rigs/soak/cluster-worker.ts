import {setTimeout as delay} from 'node:timers/promises';
import type {Random} from '../../test/helpers/random.js';
import type {SoakServers} from './soak-servers.js';

const kinds = {
  Deployment: '/apis/apps/v1/namespaces/default/deployments',
  StatefulSet: '/apis/apps/v1/namespaces/default/statefulsets',
  Job: '/apis/batch/v1/namespaces/default/jobs',
} as const;

export type WorkloadKind = keyof typeof kinds;

/** A workload as it was asked for last. */
export interface SoakWorkload {
  readonly kind: WorkloadKind;
  readonly name: string;
  readonly uid: string;
  readonly path: string;
  /** Pods that are to run; of a Job the runs that are to succeed. */
  count: number;
  /** In the label `round` of the pods of the last template. */
  round: number;
}

/** Of one worker; more are no reason to make further ones. */
const enough = 6;
const mostPods = 8;
const longestPauseMillis = 600;

/** Makes, changes and deletes workloads of its own, one after the other, and remembers what should be there. */
export class ClusterWorker {
  readonly workloads = new Map<string, SoakWorkload>();
  actions = 0;
  made = 0;
  readonly #number: number;
  readonly #random: Random;
  readonly #servers: SoakServers;

  constructor(number: number, random: Random, servers: SoakServers) {
    this.#number = number;
    this.#random = random;
    this.#servers = servers;
  }

  /** Does something, and leaves the controllers some time to follow. */
  async act(): Promise<void> {
    this.actions += 1;
    const random = this.#random;
    await delay(random.below(longestPauseMillis));
    const all = [...this.workloads.values()];
    if (all.length === 0 || (all.length < enough && random.chance(0.4))) return this.#make();
    const workload = random.pick(all);
    // A Job cannot be changed in what it is to do, and waits ever longer for pods in the place of those that somebody deletes.
    if (workload.kind === 'Job' || random.chance(0.2)) return this.#delete(workload);
    if (random.chance(0.4)) return this.#scale(workload);
    return random.chance(0.6) ? this.#roll(workload) : this.#deletePod(workload);
  }

  async #make(): Promise<void> {
    const random = this.#random;
    const kind = random.pick(Object.keys(kinds) as WorkloadKind[]);
    const name = `w${this.#number}-${(this.made += 1)}`;
    const count = 1 + random.below(mostPods);
    const path = kinds[kind];
    const labels = {app: name};
    const annotations = {'simulate.orch/ready': '0s+500ms', ...(kind === 'Job' ? {'simulate.orch/after': '100ms+900ms'} : {})};
    const containers = [{name: 'main', image: 'registry.example.com/app:1'}];
    const spec = {terminationGracePeriodSeconds: 1, containers, ...(kind === 'Job' ? {restartPolicy: 'Never'} : {})};
    const template = {metadata: {labels: {...labels, round: '0'}, annotations}, spec};
    const body = {
      metadata: {name},
      spec:
        kind === 'Job'
          ? {completions: count, parallelism: 1 + random.below(count), completionMode: random.pick(['Indexed', 'NonIndexed']), template}
          : {replicas: count, selector: {matchLabels: labels}, template, ...(kind === 'StatefulSet' ? {serviceName: name} : {})},
    };
    const answer = await this.#servers.send('POST', path, body);
    // An answer that was lost may have been a success.
    const made = answer.status === 409 ? await this.#servers.send('GET', `${path}/${name}`) : answer;
    if (made.status >= 300) throw new Error(`${path}/${name}: ${made.text}`);
    const {uid} = made.json<{metadata: {uid: string}}>().metadata;
    this.workloads.set(name, {kind, name, uid, path: `${path}/${name}`, count, round: 0});
  }

  async #scale(workload: SoakWorkload): Promise<void> {
    workload.count = this.#random.below(mostPods + 1);
    await this.#servers.send('PATCH', workload.path, {spec: {replicas: workload.count}});
  }

  async #roll(workload: SoakWorkload): Promise<void> {
    workload.round += 1;
    await this.#servers.send('PATCH', workload.path, {spec: {template: {metadata: {labels: {round: String(workload.round)}}}}});
  }

  async #deletePod({name}: SoakWorkload): Promise<void> {
    const pods = '/api/v1/namespaces/default/pods';
    const {items} = (await this.#servers.send('GET', `${pods}?labelSelector=app=${name}`)).json<{items: {metadata: {name: string}}[]}>();
    if (items.length > 0) await this.#servers.send('DELETE', `${pods}/${this.#random.pick(items).metadata.name}`);
  }

  async #delete({name, path}: SoakWorkload): Promise<void> {
    this.workloads.delete(name);
    const policy = this.#random.pick(['Background', 'Foreground']);
    await this.#servers.send('DELETE', `${path}?propagationPolicy=${policy}`);
  }
}
