import type {ApiObject} from '@orch-api/orch/sdk';
import type * as core from '@orch-api/orch/types/core/v1';
import type {StoreContext} from '../../../helpers/each-store.js';
import {setTimeout as pause} from 'node:timers/promises';
import {eventually as tryOften} from '../../../helpers/eventually.js';

/** As the helper of this name, but looks less often: many tests of a file look at one server, whose controllers come after requests. */
export function eventually<T>(look: () => T | Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  return tryOften(async () => {
    await pause(50);
    return look();
  }, isWanted);
}

/** What tests look at of any object. */
export interface AnyObject {
  kind?: string;
  metadata: ApiObject['metadata'];
  spec?: Record<string, unknown>;
  status?: Record<string, unknown> & {conditions?: {type: string; status: string; reason?: string; message?: string}[]};
}

/** Group versions by resource; `apps/v1` where there is none. */
const groups: Readonly<Record<string, string | undefined>> = {
  replicationcontrollers: undefined,
  pods: undefined,
  events: undefined,
  jobs: 'batch/v1',
  cronjobs: 'batch/v1',
};

/** A pod template with a label and an image. */
export function template(app: string, image = 'registry.example.com/app:1') {
  return {metadata: {labels: {app}}, spec: {containers: [{name: 'main', image}]}};
}

/** One object of a type that has pods; the test plays the machines that run them. */
export class WorkloadUnderTest {
  readonly #context: StoreContext;
  readonly resource: string;
  readonly name: string;

  private constructor(context: StoreContext, resource: string, name: string) {
    this.#context = context;
    this.resource = resource;
    this.name = name;
  }

  static async create(
    context: StoreContext,
    resource: string,
    name: string,
    spec: object,
    metadata: object = {},
  ): Promise<WorkloadUnderTest> {
    const workload = new WorkloadUnderTest(context, resource, name);
    // Pods of a namespace without it are refused, and tried again after growing pauses.
    await eventually(
      () => context.client.get(`${context.path('serviceaccounts')}/default`),
      ({status}) => status === 200,
    );
    await workload.send('post', workload.path(resource), {metadata: {name, ...metadata}, spec});
    return workload;
  }

  path(resource: string, name = ''): string {
    const group = resource in groups ? groups[resource] : 'apps/v1';
    return `${this.#context.path(resource, group)}${name === '' ? '' : `/${name}`}`;
  }

  async send(verb: 'post' | 'put' | 'patch', path: string, body: object): Promise<AnyObject> {
    const answer = await this.#context.client[verb](path, body);
    if (answer.status >= 300) throw new Error(`${verb} ${path}: ${answer.status} ${answer.body.toString()}`);
    return answer.json<AnyObject>();
  }

  get(): Promise<AnyObject> {
    return this.read(this.resource, this.name);
  }

  async read(resource: string, name: string): Promise<AnyObject> {
    const answer = await this.#context.client.get(this.path(resource, name));
    if (answer.status !== 200) throw new Error(`${resource} ${name}: ${answer.status}`);
    return answer.json<AnyObject>();
  }

  async list<T = AnyObject>(resource: string): Promise<T[]> {
    return (await this.#context.client.get(this.path(resource))).json<{items: T[]}>().items;
  }

  patch(patch: object): Promise<AnyObject> {
    return this.send('patch', this.path(this.resource, this.name), patch);
  }

  async delete(resource: string, name: string, query = ''): Promise<void> {
    await this.#context.client.delete(`${this.path(resource, name)}${query}`);
  }

  /** Pods that are not being deleted. */
  async pods(): Promise<core.Pod[]> {
    return (await this.list<core.Pod>('pods')).filter(({metadata}) => !metadata?.deletionTimestamp);
  }

  /** Resolves with the pods when there are so many. */
  has(count: number): Promise<core.Pod[]> {
    return eventually(
      () => this.pods(),
      (pods) => pods.length === count,
    );
  }

  /** Says that a pod is running, and whether it is ready. @param since when it became ready, in milliseconds since 1970 */
  async mark(name: string, isReady = true, since = Date.now(), phase = 'Running'): Promise<void> {
    const lastTransitionTime = new Date(since).toISOString().replace(/\.\d+/, '');
    const conditions = [{type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime}];
    await this.send('patch', `${this.path('pods', name)}/status`, {status: {phase, conditions}});
  }

  /** Marks all pods that there are as running and ready, again and again, until the status is as wanted. */
  runUntil(isWanted: (status: NonNullable<AnyObject['status']>) => boolean): Promise<AnyObject> {
    return eventually(
      async () => {
        const pending = (await this.pods()).filter(({status}) => status?.phase === 'Pending');
        await Promise.allSettled(pending.map(({metadata}) => this.mark(metadata!.name!)));
        return this.get();
      },
      ({metadata, status = {}}) => status['observedGeneration'] === metadata.generation && isWanted(status),
    );
  }

  /** Resolves with the object when its status is as wanted. */
  until(isWanted: (status: NonNullable<AnyObject['status']>) => boolean): Promise<AnyObject> {
    return eventually(
      () => this.get(),
      ({status}) => isWanted(status ?? {}),
    );
  }

  /** Events about the object, as `TYPE REASON MESSAGE (COUNT)`, in the order in which they happened first. */
  async events(): Promise<string[]> {
    const events = await this.list<core.Event>('events');
    return events
      .filter(({involvedObject}) => involvedObject.name === this.name)
      .toSorted((one, other) => (one.metadata!.name! < other.metadata!.name! ? -1 : 1))
      .map(({type, reason, message, count}) => `${type} ${reason} ${message} (${count})`);
  }
}

/** The condition of a type, as `STATUS REASON MESSAGE`; empty if there is none. */
export function condition({status}: AnyObject, wanted: string): string {
  const found = status?.conditions?.find(({type}) => type === wanted);
  return found ? `${found.status} ${found.reason} ${found.message}` : '';
}
