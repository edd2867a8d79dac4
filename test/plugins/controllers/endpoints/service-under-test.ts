import type * as core from '@orch-api/orch/types/core/v1';
import type * as discovery from '@orch-api/orch/types/discovery/v1';
import type {StoreContext} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';

export type Slice = discovery.EndpointSlice;

export const managedBy = 'endpointslice.kubernetes.io/managed-by';

/** A service with pods on nodes of its own; the test plays the machines that run them. */
export class ServiceUnderTest {
  readonly #context: StoreContext;
  readonly name: string;

  constructor(context: StoreContext, name = 'web') {
    this.#context = context;
    this.name = name;
  }

  /** Makes the service. */
  async create(spec: object, metadata: object = {}): Promise<core.Service> {
    const ports = [{name: 'http', port: 80, targetPort: 8080}];
    return this.post(this.#context.path('services'), {
      metadata: {name: this.name, ...metadata},
      spec: {selector: {app: this.name}, ports, ...spec},
    });
  }

  /** Makes a node. @returns its name */
  async node(name: string, zone?: string, cpu = '4'): Promise<string> {
    const full = `${this.#context.namespace}-${name}`;
    const labels = zone === undefined ? {} : {'topology.kubernetes.io/zone': zone};
    await this.post('/api/v1/nodes', {metadata: {name: full, labels}, spec: {unschedulable: true}});
    const conditions = [{type: 'Ready', status: 'True', reason: 'KubeletReady', message: ''}];
    await this.patch(`/api/v1/nodes/${full}/status`, {status: {allocatable: {cpu}, capacity: {cpu}, conditions}});
    return full;
  }

  /** Makes a pod that runs on a node. */
  async pod(name: string, node: string, ips: readonly string[], spec: object = {}, isReady = true): Promise<void> {
    const body = {
      metadata: {name, labels: {app: this.name}},
      spec: {nodeName: node, terminationGracePeriodSeconds: 30, containers: [{name: 'main', image: 'registry.example.com/app:1'}], ...spec},
    };
    const made = await eventually(
      () => this.#context.client.post(this.#context.path('pods'), body),
      ({status}) => status !== 403,
    );
    if (made.status !== 201) throw new Error(made.body.toString());
    await this.mark(name, isReady, {podIP: ips[0], podIPs: ips.map((ip) => ({ip})), phase: 'Running'});
  }

  /** Says whether a pod is ready. */
  async mark(name: string, isReady: boolean, more: object = {}): Promise<void> {
    const conditions = [{type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: '2026-01-02T03:04:05Z'}];
    await this.patch(`${this.#context.path('pods')}/${name}/status`, {status: {...more, conditions}});
  }

  async post<T>(path: string, body: object): Promise<T> {
    const made = await this.#context.client.post(path, body);
    if (made.status !== 201) throw new Error(made.body.toString());
    return made.json<T>();
  }

  async patch(path: string, body: object): Promise<void> {
    const answer = await this.#context.client.patch(path, body);
    if (answer.status !== 200) throw new Error(answer.body.toString());
  }

  change(body: object): Promise<void> {
    return this.patch(`${this.#context.path('services')}/${this.name}`, body);
  }

  async remove(resource: string, name: string): Promise<void> {
    await this.#context.client.delete(`${this.#context.path(resource)}/${name}`);
  }

  /** The slices of the service, once they are as wanted. */
  slices(isWanted: (slices: Slice[]) => boolean): Promise<Slice[]> {
    const path = this.#context.path('endpointslices', 'discovery.k8s.io/v1');
    return eventually(async () => {
      const {items} = (await this.#context.client.get(path)).json<{items: Slice[]}>();
      return items.filter(({metadata}) => metadata.labels?.['kubernetes.io/service-name'] === this.name);
    }, isWanted);
  }

  /** The only slice of the service, once it is as wanted. */
  async slice(isWanted: (slice: Slice) => boolean): Promise<Slice> {
    const [only] = await this.slices((slices) => slices.length === 1 && isWanted(slices[0]!));
    return only!;
  }

  /** The Endpoints of the service, once they are as wanted. */
  async endpoints(isWanted: (endpoints: core.Endpoints) => boolean): Promise<core.Endpoints> {
    const path = `${this.#context.path('endpoints')}/${this.name}`;
    const answer = await eventually(
      () => this.#context.client.get(path),
      (found) => found.status === 200 && isWanted(found.json<core.Endpoints>()),
    );
    return answer.json<core.Endpoints>();
  }

  /** Texts of the events about objects of a name, once one has the reason. */
  async events(reason: string, name = this.name): Promise<string[]> {
    const found = await eventually(
      async () => (await this.#context.client.get(this.#context.path('events'))).json<{items: core.Event[]}>().items,
      (events) => events.some((event) => event.reason === reason && event.involvedObject.name === name),
    );
    return found
      .filter((event) => event.involvedObject.name === name)
      .map(({type, reason: why, message, source}) => `${type} ${why} ${message} (${source?.component})`);
  }
}

/** The addresses of endpoints, in order. */
export function addresses({endpoints}: Slice): string[] {
  return (endpoints ?? []).flatMap((endpoint) => endpoint.addresses).toSorted();
}
