import {statefulSet} from '../../resources/apps/stateful-set-objects.js';
import {eventually} from '../../../helpers/eventually.js';
import type {StoreContext} from '../../../helpers/each-store.js';
import type {StatefulSet} from '@orch-api/orch/types/unchecked/apps/v1';
import type {Pod} from '@orch-api/orch/types/unchecked/core/v1';

type Json = Record<string, unknown>;
type Context = Pick<StoreContext, 'client' | 'path'>;

/** A StatefulSet in the test's namespace, and the kubelet of its pods, which the test plays. */
export class SetUnderTest {
  readonly #context: Context;
  readonly name: string;

  private constructor(context: Context, name: string) {
    this.#context = context;
    this.name = name;
  }

  static async create(context: Context, spec: Json, name = 'web'): Promise<SetUnderTest> {
    const set = new SetUnderTest(context, name);
    const made = await context.client.post(context.path('statefulsets', 'apps/v1'), statefulSet(name, spec));
    if (made.status !== 201) throw new Error(made.body.toString());
    return set;
  }

  get path(): string {
    return `${this.#context.path('statefulsets', 'apps/v1')}/${this.name}`;
  }

  async get(): Promise<StatefulSet> {
    return (await this.#context.client.get(this.path)).json<StatefulSet>();
  }

  async patch(patch: object): Promise<void> {
    const answer = await this.#context.client.patch(this.path, patch);
    if (answer.status !== 200) throw new Error(answer.body.toString());
  }

  /** Another image for the pods. */
  update(image: string, more: Json = {}): Promise<void> {
    return this.patch({spec: {template: {spec: {containers: [{name: 'db', image}]}}, ...more}});
  }

  async pods(): Promise<Pod[]> {
    const {items} = (await this.#context.client.get(this.#context.path('pods'))).json<{items: Pod[]}>();
    const ordinal = ({metadata}: Pod) => Number(/-(\d+)$/.exec(metadata.name!)?.[1]);
    return items.sort((a, b) => ordinal(a) - ordinal(b));
  }

  /** `NAME=IMAGE` of the pods, by their numbers. */
  async images(): Promise<string[]> {
    return (await this.pods()).map(({metadata, spec}) => `${metadata.name}=${spec?.containers?.[0]?.image}`);
  }

  async pod(ordinal: number): Promise<Pod | undefined> {
    return (await this.pods()).find(({metadata}) => metadata.name === `${this.name}-${ordinal}`);
  }

  /** Says of a pod that it runs and is ready; waits until it is there. */
  async ready(ordinal: number, since = new Date()): Promise<void> {
    await eventually(
      () => this.pod(ordinal),
      (pod) => pod !== undefined && !pod.metadata.deletionTimestamp,
    );
    await this.#status(ordinal, 'Running', 'True', since);
  }

  unready(ordinal: number): Promise<void> {
    return this.#status(ordinal, 'Running', 'False', new Date());
  }

  fail(ordinal: number): Promise<void> {
    return this.#status(ordinal, 'Failed', 'False', new Date());
  }

  async #status(ordinal: number, phase: string, ready: string, since: Date): Promise<void> {
    const condition = {type: 'Ready', status: ready, lastTransitionTime: `${since.toISOString().slice(0, 19)}Z`};
    const at = `${this.#context.path('pods')}/${this.name}-${ordinal}/status`;
    const answer = await this.#context.client.patch(at, {status: {phase, conditions: [condition]}});
    if (answer.status !== 200) throw new Error(answer.body.toString());
  }

  /** Resolves when the controller has seen the set as it is, and its status is as wanted. */
  async settled(isWanted: (status: NonNullable<StatefulSet['status']>, set: StatefulSet) => boolean = () => true): Promise<StatefulSet> {
    return eventually(
      () => this.get(),
      (set) => set.status?.observedGeneration === set.metadata.generation && isWanted(set.status!, set),
    );
  }

  /** Makes every pod ready that is there. One that goes meanwhile is left alone. */
  async playKubelet(): Promise<void> {
    for (const {metadata, status} of await this.pods()) {
      const ordinal = Number(metadata.name!.slice(this.name.length + 1));
      if (status?.phase !== 'Running' && !metadata.deletionTimestamp)
        await this.#status(ordinal, 'Running', 'True', new Date()).catch(() => undefined);
    }
  }

  /** Makes every pod ready that comes, until the set is as it is meant to be. */
  async run(): Promise<StatefulSet> {
    return eventually(
      async () => {
        await this.playKubelet();
        return this.get();
      },
      ({metadata, spec, status}) => {
        const partition = spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
        const wanted = spec?.replicas ?? 1;
        const isUpdated = (status?.updatedReplicas ?? 0) === wanted || (status?.updatedReplicas ?? 0) >= wanted - partition;
        return (
          status?.observedGeneration === metadata.generation &&
          status?.replicas === wanted &&
          (status?.readyReplicas ?? 0) === wanted &&
          isUpdated
        );
      },
    );
  }

  /** What the pods are called. */
  async names(): Promise<string[]> {
    return (await this.pods()).map(({metadata}) => metadata.name!);
  }

  /** Resolves when the pods are exactly these. */
  async has(names: readonly string[]): Promise<void> {
    await eventually(
      () => this.names(),
      (found) => found.join() === names.join(),
    );
  }
}

/** Names of the pods `web-START` to before `web-END`. */
export function webs(end: number, start = 0): string[] {
  return Array.from({length: end - start}, (_, index) => `web-${start + index}`);
}
