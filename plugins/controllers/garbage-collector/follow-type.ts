import type {CacheFollower, ServedResource} from '../../../sdk/index.js';
import type {GraphNode} from './graph-node.js';
import type {ObjectGraph} from './object-graph.js';

/**
 * Enters the objects of a type into the graph. Most objects have no owners and are not being deleted: they are told apart by what
 * the cache knows, without being parsed.
 */
export function followType(type: ServedResource, graph: ObjectGraph): CacheFollower {
  /** Objects that have to be seen again, or are gone. */
  let doubtful: Set<GraphNode> | undefined;
  /** Owners that others name are looked up once everything has been told: until then they need not be noticed. */
  let beginning = true;
  const own = () => new Set([...graph.nodes()].filter((node) => node.type !== undefined && isSameType(node.type, type)));
  const loseAll = (nodes: Iterable<GraphNode>) => {
    for (const node of nodes) graph.lose(node);
  };
  return {
    changed: (object, previous) => {
      const mayBeNamed = !beginning && graph.unseen > 0;
      if (!object.mayBeOwnedOrDeleted && !previous?.mayBeOwnedOrDeleted && !mayBeNamed && !doubtful) return;
      const metadata = object.metadata();
      if (doubtful) {
        const node = metadata.uid === undefined ? undefined : graph.get(metadata.uid);
        if (node) doubtful.delete(node);
      }
      graph.see({type, key: object.key, namespace: object.namespace, metadata});
    },
    deleted: (object) => {
      if (graph.size === 0) return;
      const {uid} = object.metadata();
      if (uid !== undefined) graph.remove(uid, type);
    },
    reset: () => {
      doubtful = own();
      beginning = true;
    },
    listed: () => {
      const missing = doubtful ?? [];
      doubtful = undefined;
      beginning = false;
      loseAll(missing);
    },
    ended: () => loseAll(own()),
  };
}

function isSameType(a: ServedResource, b: ServedResource): boolean {
  return a.group === b.group && a.resource === b.resource;
}
