import type {StoreContext} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import type {Node, Pod} from '@orch-api/orch/types/unchecked/core/v1';

type Context = Pick<StoreContext, 'client' | 'path'>;
type Json = Record<string, unknown>;

export interface NodeForm {
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly labels?: Record<string, string>;
  readonly spec?: Json;
}

/** Nodes that only the pods of one test come to: its pods select them by a label. */
export class ClusterUnderTest {
  readonly #context: Context;
  readonly #mark: string;

  constructor(context: StoreContext) {
    this.#context = context;
    this.#mark = context.namespace;
  }

  /** Makes a node; its name gets the mark of the test before it. */
  async node(name: string, {cpu = '4', memory = '8Gi', pods = '110', labels = {}, spec = {}}: NodeForm = {}): Promise<string> {
    const full = this.nodeName(name);
    const {client} = this.#context;
    const made = await client.post('/api/v1/nodes', {
      metadata: {name: full, labels: {test: this.#mark, 'kubernetes.io/hostname': full, ...labels}},
      spec,
    });
    if (made.status !== 201) throw new Error(made.body.toString());
    // New nodes are tainted until they report; the node of a test is ready at once.
    await client.patch(`/api/v1/nodes/${full}`, {spec: {taints: (spec['taints'] as Json[] | undefined) ?? null}});
    const status = await client.patch(`/api/v1/nodes/${full}/status`, {
      status: {allocatable: {cpu, memory, pods}, capacity: {cpu, memory, pods}},
    });
    if (status.status !== 200) throw new Error(status.body.toString());
    return full;
  }

  nodeName(name: string): string {
    return `${this.#mark}-${name}`;
  }

  async changeNode(name: string, patch: object): Promise<void> {
    const answer = await this.#context.client.patch(`/api/v1/nodes/${this.nodeName(name)}`, patch);
    if (answer.status !== 200) throw new Error(answer.body.toString());
  }

  /** Makes a pod for the nodes of the test. */
  async pod(name: string, spec: Json = {}, metadata: Json = {}): Promise<void> {
    const body = {
      metadata: {name, ...metadata},
      spec: {containers: [container()], nodeSelector: {test: this.#mark}, ...spec},
    };
    // The service account of a new namespace may not be there yet.
    const made = await eventually(
      () => this.#context.client.post(this.#context.path('pods'), body),
      ({status}) => status !== 403,
    );
    if (made.status !== 201) throw new Error(made.body.toString());
  }

  async get(name: string): Promise<Pod> {
    return (await this.#context.client.get(`${this.#context.path('pods')}/${name}`)).json<Pod>();
  }

  async remove(name: string): Promise<void> {
    await this.#context.client.delete(`${this.#context.path('pods')}/${name}?gracePeriodSeconds=0`);
  }

  /** The node that a pod gets, without the mark of the test. */
  async placeOf(name: string): Promise<string> {
    const pod = await eventually(
      () => this.get(name),
      ({spec}) => Boolean(spec?.nodeName),
    );
    return pod.spec!.nodeName!.slice(this.#mark.length + 1);
  }

  /** What is said of a pod that gets no node, once it is said. */
  async refusal(name: string, isWanted: (message: string) => boolean = () => true): Promise<string> {
    const pod = await eventually(
      () => this.get(name),
      ({status}) =>
        status?.conditions?.some(
          ({type, reason, message = ''}) => type === 'PodScheduled' && reason === 'Unschedulable' && isWanted(message),
        ) ?? false,
    );
    return pod.status!.conditions!.find(({type}) => type === 'PodScheduled')!.message!;
  }

  /** `REASON: NOTE` of the events about a pod, once there is one with a reason. */
  async events(name: string, reason: string): Promise<string[]> {
    const found = await eventually(
      async () => {
        const {items} = (await this.#context.client.get(this.#context.path('events'))).json<{
          items: {involvedObject: {name: string}; reason: string; message: string}[];
        }>();
        return items.filter(({involvedObject}) => involvedObject.name === name);
      },
      (events) => events.some((each) => each.reason === reason),
    );
    return found.map((each) => `${each.reason}: ${each.message}`);
  }

  async nodes(): Promise<Node[]> {
    return (await this.#context.client.get(`/api/v1/nodes?labelSelector=test%3D${this.#mark}`)).json<{items: Node[]}>().items;
  }
}

/** A container that asks for some resources. */
export function container(requests: Json = {}, more: Json = {}): Json {
  return {name: 'c', image: 'registry.example.com/app:1', resources: {requests}, ...more};
}
