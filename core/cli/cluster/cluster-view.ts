import type {Client} from '../../../sdk/client/client.js';
import {types} from '../../../sdk/types/resources.js';
import {clusterPicture, type Canvas, type PodState, type ShownNode, type ShownPod} from './cluster-picture.js';

/** Pause between two pictures, in which changes gather. */
const pauseMillis = 250;
const clear = '\u001b[H\u001b[J';

/** A terminal that pictures are drawn on. */
export interface Screen {
  write(text: string): unknown;
  readonly columns?: number;
  readonly rows?: number;
}

interface NodeObject {
  readonly metadata?: {readonly name?: string};
  readonly spec?: {readonly unschedulable?: boolean};
  readonly status?: {readonly conditions?: readonly {readonly type?: string; readonly status?: string}[] | null};
}

interface PodObject {
  readonly spec?: {readonly nodeName?: string};
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly {readonly type?: string; readonly status?: string}[] | null;
    readonly containerStatuses?: readonly {readonly state?: {readonly waiting?: {readonly reason?: string} | null}}[] | null;
  };
}

/**
 * Draws the nodes and pods of a server as they change.
 *
 * @param title the first line
 * @returns ends it
 */
export function showCluster(client: Client, screen: Screen, title: string): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    timer = undefined;
    const canvas: Canvas = {columns: screen.columns ?? 80, rows: (screen.rows ?? 24) - 1};
    const picture = clusterPicture(nodes.cache.list().map(shownNode), pods.cache.list().map(shownPod), canvas);
    screen.write(`${clear}${title}\n${picture}\n`);
  };
  const changed = (): void => {
    timer ??= setTimeout(draw, pauseMillis);
  };
  const failed = {onError: () => undefined};
  const nodes = client.resource(types.core.v1.Node).informer(failed);
  const pods = client.resource(types.core.v1.Pod).informer(failed);
  for (const informer of [nodes, pods]) informer.on({add: changed, update: changed, delete: changed});
  nodes.start();
  pods.start();
  changed();
  return async () => {
    clearTimeout(timer);
    await Promise.all([nodes[Symbol.asyncDispose](), pods[Symbol.asyncDispose]()]);
  };
}

/** A node as it is drawn. */
export function shownNode({metadata, spec, status}: NodeObject): ShownNode {
  return {name: metadata?.name ?? '', isReady: isTrue(status?.conditions, 'Ready'), isCordoned: spec?.unschedulable === true};
}

/** A pod as it is drawn. */
export function shownPod({spec, status}: PodObject): ShownPod {
  return {node: spec?.nodeName ?? '', state: stateOf(status)};
}

function stateOf(status: PodObject['status']): PodState {
  if (status?.phase === 'Succeeded') return 'done';
  const reasons = (status?.containerStatuses ?? []).map(({state}) => state?.waiting?.reason ?? '');
  if (status?.phase === 'Failed' || reasons.some((reason) => /BackOff$|^Err/.test(reason))) return 'failing';
  return isTrue(status?.conditions, 'Ready') ? 'ready' : 'starting';
}

function isTrue(conditions: readonly {readonly type?: string; readonly status?: string}[] | null | undefined, wanted: string): boolean {
  return conditions?.some(({type, status}) => type === wanted && status === 'True') ?? false;
}
