import type {CacheFollower, ServedResource} from '../../../sdk/index.js';
import type {ObjectGraph} from './object-graph.js';

/**
 * Enters the objects of a type into the graph. Most objects have no owners and are not being deleted: they are recognized by what
 * the cache knows, without being parsed.
 */
export function followType(type: ServedResource, graph: ObjectGraph): CacheFollower {
  /** Objects have to be seen again, or are gone. */
  let isDoubtful = false;
  /** Referenced owners are looked up once everything has been listed: until then they are not noted. */
  let isBeginning = true;
  return {
    changed: (object, previous) => {
      if (!object.mayBeOwnedOrDeleted && !previous?.mayBeOwnedOrDeleted && !isDoubtful && (isBeginning || graph.unseen === 0)) return;
      graph.see({type, key: object.key, metadata: object.metadata()});
    },
    deleted: (object) => {
      if (graph.size === 0) return;
      const {uid} = object.metadata();
      if (uid !== undefined) graph.remove(uid, type, object.key);
    },
    reset: () => {
      graph.doubt(type);
      isDoubtful = true;
      isBeginning = true;
    },
    listed: () => {
      if (isDoubtful) graph.loseDoubtful(type);
      isDoubtful = false;
      isBeginning = false;
    },
    ended: () => graph.loseAll(type),
  };
}
