import type {ApiObject} from '../sdk/objects/api-object.js';
import type {TestClient} from './test-client.js';

/** A fault of a simulated cluster that lasts until it is ended: `await using down = await server.faults.nodeDown('node-1')`, or `await down.end()`. */
export interface ClusterFault extends AsyncDisposable {
  end(): Promise<void>;
}

/** Faults of simulated nodes (`cluster: {nodes: 3}`). Each is a write that anybody could make; they are there when the promise resolves. */
export interface ClusterFaults {
  /** Nothing is heard of a node any more, and its pods stand still. @throws Error if there is no such node */
  nodeDown(name: string): Promise<ClusterFault>;
  /** The same for all nodes of a zone (the label `topology.…/zone`). @throws Error if it has none */
  zoneDown(zone: string): Promise<ClusterFault>;
  /** A node is full: it reports that it lacks something. @throws Error if there is no such node */
  nodeFull(name: string, lacks?: 'disk' | 'memory' | 'pids'): Promise<ClusterFault>;
  /** Images take a while from now on: `10s`, `10s+5s`. Of pods whose annotations say otherwise they do not. */
  slowPulls(duration: string): Promise<ClusterFault>;
}

const faultKey = 'simulate.orch/fault';
const stages = '/apis/simulate.orch/v1alpha1/stages';
/** Before those of a suite. */
const priority = 1_000_000;

/** The faults of the server that a client speaks to. */
export function clusterFaults(client: TestClient): ClusterFaults {
  let made = 0;
  const nodes = async (): Promise<readonly ApiObject[]> => (await client.get('/api/v1/nodes')).json<{items: ApiObject[]}>().items;
  const named = async (name: string): Promise<readonly string[]> => {
    if ((await client.get(`/api/v1/nodes/${name}`)).status !== 200) throw new Error(`there is no node ${name}`);
    return [name];
  };
  return {
    nodeDown: async (name) => faultOf(client, await named(name), 'down'),
    nodeFull: async (name, lacks = 'disk') => faultOf(client, await named(name), lacks),
    zoneDown: async (zone) => {
      const ofZone = (await nodes()).filter(({metadata}) =>
        Object.entries(metadata.labels ?? {}).some(([key, value]) => /^topology\.[a-z0-9.-]+\/zone$/.test(key) && value === zone),
      );
      if (ofZone.length === 0) throw new Error(`there is no node in a zone ${zone}`);
      return faultOf(
        client,
        ofZone.map(({metadata}) => metadata.name!),
        'down',
      );
    },
    slowPulls: async (duration) => {
      const name = `slow-pulls-${(made += 1)}`;
      const stage = {apiVersion: 'simulate.orch/v1alpha1', kind: 'Stage', metadata: {name}, spec: {priority, behaviour: {pull: duration}}};
      const answer = await client.post(stages, stage);
      if (answer.status !== 201) throw new Error(answer.body.toString());
      return ending(async () => void (await client.delete(`${stages}/${name}`)));
    },
  };
}

async function faultOf(client: TestClient, nodes: readonly string[], word: string): Promise<ClusterFault> {
  const change = async (isThere: boolean) => {
    await Promise.all(nodes.map((node) => setWord(client, node, word, isThere)));
  };
  await change(true);
  return ending(() => change(false));
}

async function setWord(client: TestClient, node: string, word: string, isThere: boolean): Promise<void> {
  const path = `/api/v1/nodes/${node}`;
  const found = await client.get(path);
  // One that has gone meanwhile has no faults.
  if (found.status === 404) return;
  const {metadata} = found.json<ApiObject>();
  const words = (metadata.annotations?.[faultKey] ?? '').split(',').filter((each) => each !== '' && each !== word);
  if (isThere) words.push(word);
  const value = words.length === 0 ? null : words.join(',');
  const {status, body} = await client.patch(path, {metadata: {annotations: {[faultKey]: value}}});
  if (status !== 200 && status !== 404) throw new Error(body.toString());
}

function ending(end: () => Promise<void>): ClusterFault {
  return {end, [Symbol.asyncDispose]: end};
}
