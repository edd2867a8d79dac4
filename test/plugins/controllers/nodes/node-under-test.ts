import type * as core from '@orch-api/orch/types/core/v1';
import type {TestClient} from '@orch-api/orch/testing';
import type {StoreContext} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';

/** Nodes of a test, which plays their agents, and pods on them. */
export class NodesUnderTest {
  readonly client: TestClient;
  readonly #path: StoreContext['path'];
  readonly #mark: string;

  constructor({path, namespace}: StoreContext, client: TestClient) {
    this.client = client;
    this.#path = path;
    this.#mark = namespace;
  }

  name(name: string): string {
    return `${this.#mark}-${name}`;
  }

  /** Makes a node that is ready. */
  async node(name: string, labels: Record<string, string> = {}): Promise<void> {
    await this.#send('post', '/api/v1/nodes', {metadata: {name: this.name(name), labels}});
    await this.report(name, 'True');
  }

  /** A node reports that it is ready, or not. */
  async report(name: string, status: string, heartbeat = new Date()): Promise<void> {
    const time = `${heartbeat.toISOString().slice(0, 19)}Z`;
    const condition = {type: 'Ready', status, reason: 'Kubelet', message: '', lastHeartbeatTime: time, lastTransitionTime: time};
    await this.#send('patch', `/api/v1/nodes/${this.name(name)}/status`, {status: {conditions: [condition]}});
  }

  /** A node renews its lease until the signal fires. */
  keepAlive(name: string, signal: AbortSignal): void {
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases`;
    const renew = async (): Promise<void> => {
      const spec = {holderIdentity: this.name(name), renewTime: `${new Date().toISOString().slice(0, 23)}000Z`};
      const made = await this.client.patch(`${path}/${this.name(name)}`, {spec});
      if (made.status === 404) await this.client.post(path, {metadata: {name: this.name(name)}, spec});
    };
    const timer = setInterval(() => void renew().catch(() => undefined), 100);
    signal.addEventListener('abort', () => clearInterval(timer), {once: true});
  }

  async pod(name: string, node: string, spec: object = {}): Promise<void> {
    const body = {
      metadata: {name},
      spec: {nodeName: this.name(node), containers: [{name: 'main', image: 'registry.example.com/app:1'}], ...spec},
    };
    const made = await eventually(
      () => this.client.post(this.#path('pods'), body),
      ({status}) => status !== 403,
    );
    if (made.status !== 201) throw new Error(made.body.toString());
    const conditions = [{type: 'Ready', status: 'True'}];
    await this.#send('patch', `${this.#path('pods')}/${name}/status`, {status: {phase: 'Running', conditions}});
  }

  change(name: string, patch: object): Promise<void> {
    return this.#send('patch', `/api/v1/nodes/${this.name(name)}`, patch);
  }

  /** The node, once it is as wanted. */
  async until(name: string, isWanted: (node: core.Node) => boolean): Promise<core.Node> {
    return eventually(async () => (await this.client.get(`/api/v1/nodes/${this.name(name)}`)).json<core.Node>(), isWanted);
  }

  /** The pod, once it is as wanted; undefined if it is gone. */
  async podUntil(name: string, isWanted: (pod: core.Pod | undefined) => boolean): Promise<core.Pod | undefined> {
    return eventually(async () => {
      const answer = await this.client.get(`${this.#path('pods')}/${name}`);
      return answer.status === 404 ? undefined : answer.json<core.Pod>();
    }, isWanted);
  }

  /** `TYPE REASON MESSAGE` of the events about objects of a name, once there is one with a reason. */
  async events(namespace: string, name: string, reason: string): Promise<string[]> {
    const found = await eventually(
      async () => (await this.client.get(`/api/v1/namespaces/${namespace}/events`)).json<{items: core.Event[]}>().items,
      (events) => events.some((event) => event.reason === reason && event.involvedObject.name === name),
    );
    return found
      .filter(({involvedObject}) => involvedObject.name === name)
      .map(({type, reason: why, message, source}) => `${type} ${why} ${message} (${source?.component})`);
  }

  async #send(verb: 'post' | 'patch', path: string, body: object): Promise<void> {
    const answer = await this.client[verb](path, body);
    if (answer.status >= 300) throw new Error(`${verb} ${path}: ${answer.status} ${answer.body.toString()}`);
  }
}

/** The taints of a node, as `KEY:EFFECT`, in order. */
export function taints({spec}: core.Node): string[] {
  return (spec?.taints ?? []).map(({key, effect}) => `${key.replace('node.kubernetes.io/', '')}:${effect}`).toSorted();
}

/** The condition Ready of a node or pod, as `STATUS REASON MESSAGE`. */
export function ready({status}: {status?: {conditions?: {type: string; status: string; reason?: string; message?: string}[]}}): string {
  const found = status?.conditions?.find(({type}) => type === 'Ready');
  return [found?.status, found?.reason, found?.message].filter(Boolean).join(' ');
}
