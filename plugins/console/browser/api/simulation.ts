import {createObject, deleteObject, readObject} from './objects.js';
import {Refusal, request, requestJson} from './request.js';
import {pathSegment, type ApiObject, type ResourceType} from './types.js';

/** Says of a node that it is simulated, and what is wrong with it (docs/cluster.md). */
export const simulatedKey = 'simulate.orch/node';
export const faultKey = 'simulate.orch/fault';

/** What can be wrong with a node, by the word that says so. */
export const faults = {down: 'down', disk: 'full disk', memory: 'no memory', pids: 'no process ids'} as const;
export type Fault = keyof typeof faults;

const nodeType: ResourceType = {
  group: '',
  version: 'v1',
  resource: 'nodes',
  kind: 'Node',
  namespaced: false,
  verbs: [],
  shortNames: [],
  subresources: [],
};
const stageType: ResourceType = {...nodeType, group: 'simulate.orch', version: 'v1alpha1', resource: 'stages', kind: 'Stage'};
/** One for everybody, so that whoever looks sees it and can end it. */
const slowPulls = 'console-slow-pulls';
/** Before others. */
const priority = 1_000_000;
/** Nodes that are changed at once. */
const atOnce = 6;
/** Attempts at a node that others change too. */
const mostAttempts = 5;

/** What an annotation says is wrong with a node. */
export function faultsOf(annotation: string | undefined): readonly string[] {
  return (annotation ?? '').split(',').filter(Boolean);
}

/** Has something be wrong with nodes, or not any more: the annotation is changed as anybody could. @throws Refusal */
export async function setFault(nodes: readonly string[], fault: Fault, isThere: boolean): Promise<void> {
  const open = nodes[Symbol.iterator]();
  const work = async () => {
    for (const node of open) await setFaultOf(node, fault, isThere);
  };
  await Promise.all(Array.from({length: Math.min(atOnce, nodes.length)}, work));
}

async function setFaultOf(name: string, fault: Fault, isThere: boolean): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const {metadata} = await readObject(nodeType, {name});
    const others = faultsOf(metadata.annotations?.[faultKey]).filter((word) => word !== fault);
    const words = isThere ? [...others, fault] : others;
    const annotations = {[faultKey]: words.length === 0 ? null : words.join(',')};
    try {
      await request(`/api/v1/nodes/${pathSegment(name)}?fieldManager=orch-console`, {
        method: 'PATCH',
        type: 'application/merge-patch+json',
        body: {metadata: {resourceVersion: metadata.resourceVersion, annotations}},
      });
      return;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 409 || attempt === mostAttempts) throw error;
    }
  }
}

/** How long images take for all pods that say nothing else; undefined if nobody has slowed them down here. @throws Refusal */
export async function readSlowPulls(signal: AbortSignal): Promise<string | undefined> {
  try {
    const stage = (await readObject(stageType, {name: slowPulls}, signal)) as ApiObject & {spec?: {behaviour?: {pull?: string}}};
    return stage.spec?.behaviour?.pull ?? '';
  } catch (error) {
    if (error instanceof Refusal && error.code === 404) return undefined;
    throw error;
  }
}

/** @param duration `30s`, `30s+10s` for up to 10 s more @throws Refusal */
export async function beginSlowPulls(duration: string): Promise<void> {
  const stage = {
    apiVersion: 'simulate.orch/v1alpha1',
    kind: 'Stage',
    metadata: {name: slowPulls},
    spec: {priority, behaviour: {pull: duration}},
  };
  await createObject('/apis/simulate.orch/v1alpha1/stages', stage, {dryRun: false});
}

/** @throws Refusal */
export async function endSlowPulls(): Promise<void> {
  const {metadata} = await readObject(stageType, {name: slowPulls});
  await deleteObject(stageType, metadata, {dryRun: false});
}

/** Puts the clock of a server for tests forward, `1h`. @returns the time then @throws Refusal */
export async function advanceClock(duration: string): Promise<string> {
  const path = `/orch/testing/clock?${new URLSearchParams({advance: duration})}`;
  return (await requestJson<{now: string}>(path, {method: 'POST'})).now;
}

/** Resolves when no controller has work left that does not wait for a time. @throws Refusal */
export async function waitUntilSettled(): Promise<void> {
  await request('/orch/testing/settled', {method: 'POST'});
}
