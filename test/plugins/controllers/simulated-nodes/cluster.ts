import anyTest, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import type {Event, Node, Pod} from '@orch-api/orch/types/unchecked/core/v1';

type Json = Record<string, unknown>;

/** Registers a test on the cluster of a file: they take turns, as all of them move its clock. */
export type ClusterTest = (title: string, run: (t: ExecutionContext, cluster: SimulatedCluster) => Promise<void>) => void;

/** Answers a function that registers a test; its file has one server. */
export function testOnCluster(nodes: number | string, options: ServerOptions = {}): ClusterTest {
  let cluster: SimulatedCluster | undefined;
  anyTest.before(async () => {
    cluster = new SimulatedCluster(await startTestServer({platform: 'kubernetes', cluster: {nodes}, ...options}));
    await cluster.server.settled();
  });
  anyTest.after.always(() => cluster?.server.stop());
  return (title, run) =>
    anyTest.serial(title, async (t) => {
      // Many tests share the machine.
      t.timeout(60_000);
      await run(t, cluster!);
    });
}

/** A cluster with simulated nodes. */
export class SimulatedCluster {
  readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  /** A Stage. */
  async stage(name: string, spec: Json): Promise<void> {
    const kind = {apiVersion: 'simulate.orch/v1alpha1', kind: 'Stage'};
    await this.create('/apis/simulate.orch/v1alpha1/stages', {...kind, metadata: {name}, spec});
  }

  async create<T>(path: string, object: Json): Promise<T> {
    const made = await this.server.client.post(path, object);
    if (made.status !== 201) throw new Error(made.body.toString());
    return made.json<T>();
  }

  async patch(path: string, patch: Json): Promise<void> {
    const changed = await this.server.client.patch(path, patch);
    if (changed.status !== 200) throw new Error(changed.body.toString());
  }

  pod(name: string, annotations: Record<string, string> = {}, spec: Json = {}): Promise<Pod> {
    const words = Object.fromEntries(Object.entries(annotations).map(([word, value]) => [`simulate.orch/${word}`, value]));
    return this.create('/api/v1/namespaces/default/pods', {
      metadata: {name, annotations: words},
      spec: {containers: [{name: 'main', image: 'registry.example.com/app:1'}], ...spec},
    });
  }

  async remove(path: string): Promise<void> {
    await this.server.client.delete(path);
    await this.server.settled();
  }

  async get<T>(path: string): Promise<T> {
    return (await this.server.client.get(path)).json<T>();
  }

  /** A pod, when no controller has work left. */
  async settledPod(name: string): Promise<Pod> {
    await this.server.settled();
    return this.get(`/api/v1/namespaces/default/pods/${name}`);
  }

  async nodes(): Promise<Node[]> {
    return (await this.get<{items: Node[]}>('/api/v1/nodes')).items;
  }

  /** `REASON: NOTE` of the events about an object, in their order. */
  async events(name: string): Promise<string[]> {
    await this.server.settled();
    const {items} = await this.get<{items: (Event & {involvedObject: {name?: string}})[]}>('/api/v1/namespaces/default/events');
    return items
      .filter(({involvedObject, source}) => involvedObject.name === name && source?.component === 'kubelet')
      .toSorted((left, right) => (left.metadata.name! < right.metadata.name! ? -1 : 1))
      .map(({reason, message, count}) => `${reason}: ${message}${count! > 1 ? ` (${count})` : ''}`);
  }
}

/** What a container is at, shortly. */
export function stateOf(pod: Pod, index = 0): string {
  const {state, restartCount, lastState} = pod.status!.containerStatuses![index]!;
  const {waiting, running, terminated} = state!;
  const now = running ? 'running' : waiting ? `waiting ${waiting.reason}` : `terminated ${terminated!.reason} ${terminated!.exitCode}`;
  const before = lastState?.terminated;
  return `${now}, ${restartCount} restarts${before ? `, before ${before.reason} ${before.exitCode}` : ''}`;
}

/** `TYPE STATUS REASON MESSAGE` of the conditions, by type. */
export function conditionsOf(object: Pod | Node): string[] {
  return (object.status?.conditions ?? [])
    .map(({type, status, reason, message}) => [type, status, reason, message].filter((word) => word !== undefined).join(' '))
    .toSorted();
}
