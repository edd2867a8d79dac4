import type {ApiObject} from '../../sdk/index.js';
import {signersOf} from '../../test/plugins/controllers/bootstrap-tokens/tokens.js';
import {definitions, everywhere, everywhereOf, tokenName, tokens} from './soak-kinds.js';
import {fateOf, hasForgottenOwner, type SoakObject} from './soak-model.js';
import type {SoakServers} from './soak-servers.js';
import type {SoakWorker} from './soak-worker.js';

export interface SoakState {
  /** The objects that are there, by path. */
  readonly found: ReadonlyMap<string, ApiObject>;
  /** What is not as it should be. */
  readonly faults: readonly string[];
}

/** Holds what is there against what should be. */
export async function stateOf(workers: readonly SoakWorker[], servers: SoakServers): Promise<SoakState> {
  const {terms} = servers;
  for (const {places} of workers) {
    for (const place of places) {
      const isDefinition = place.path.startsWith(definitions);
      if (isDefinition && place.deleted) place.isForgotten = place.terms !== terms;
    }
  }
  const found = await existing(workers, servers);
  const faults = [...objectFaults(workers, found), ...derivedFaults(workers, found), ...(await placeFaults(workers, servers))];
  const signing = signersOf((await servers.send('GET', clusterInfo)).json<{data: Record<string, string>}>().data);
  const expected = [...found.keys()].flatMap((path) => path.split(`${tokens}/${tokenName}`)[1] ?? []).sort();
  if (signing.join() !== expected.join()) faults.push(`cluster-info is signed with ${signing.join()}, and there are ${expected.join()}`);
  const depth = await servers.gauge('workqueue_depth');
  if (depth !== 0) faults.push(`${depth} names wait in queues`);
  return {found, faults};
}

export const clusterInfo = '/api/v1/namespaces/orch-public/configmaps/cluster-info';

/** @param found objects that are there, by path */
export function objectFaults(workers: readonly Pick<SoakWorker, 'objects' | 'going'>[], found: ReadonlyMap<string, ApiObject>): string[] {
  const faults: string[] = [];
  const known = new Map(workers.flatMap(({objects, going}) => [...objects, ...going]).map((object) => [object.path, object]));
  const kept = keptWaiting(known, found);
  for (const {objects, going} of workers) {
    for (const object of [...objects, ...going]) {
      const is = found.get(object.path);
      const fate = fateOf(object);
      if (fate === 'stays' && is?.metadata.uid !== object.uid) faults.push(`${object.path} is gone: ${object.history.join('; ')}`);
      if (fate === 'goes' && is && !kept.has(is)) {
        faults.push(`${object.path} is still there: ${described(is)}, named by ${namers(is, found, known)}; ${object.history.join('; ')}`);
      }
      if (fate !== 'goes' && is?.metadata.deletionTimestamp && !(fate === 'either' && kept.has(is)))
        faults.push(`${object.path} is being deleted, named by ${namers(is, found, known)}: ${object.history.join('; ')}`);
      if (fate === 'stays' && object.isApproved && !(is as Signed | undefined)?.status?.certificate)
        faults.push(`${object.path} is not signed`);
    }
  }
  const uids = new Set([...found.values()].map(({metadata}) => metadata.uid));
  for (const [path, is] of found) {
    const object = known.get(path);
    const dangling = (is.metadata.ownerReferences ?? []).filter(({uid}) => !uids.has(uid));
    // An owner of a kind that is not served decides nothing, neither of the object nor of what else it names.
    // One that waits for what is kept goes with it, and names owners that did not wait for it.
    const mayStay = kept.has(is) || (object && fateOf(object) !== 'goes' && dangling.some(({kind}) => kind === 'Thing'));
    if (dangling.length > 0 && !mayStay) {
      faults.push(
        `${path} has owners that are not there: ${dangling.map(({name}) => name).join()}, ${described(is)}, named by ${namers(is, found, known)}; ${object?.history.join('; ')}`,
      );
    }
    if (/^w\d+-\d+$|^bootstrap-token-/.test(is.metadata.name!) && !object) faults.push(`${path} is there, and nobody made it`);
  }
  return faults;
}

/** Objects that wait for dependents that nobody collects, because whoever could knows nothing of another owner of theirs. */
function keptWaiting(known: ReadonlyMap<string, SoakObject>, found: ReadonlyMap<string, ApiObject>): ReadonlySet<ApiObject> {
  const byUid = new Map([...found.values()].map((object) => [object.metadata.uid!, object]));
  const blocking = [...found].filter(([path]) => hasForgottenOwner(known.get(path))).map(([, object]) => object);
  const kept = new Set<ApiObject>();
  for (const {metadata} of blocking) {
    for (const {uid, blockOwnerDeletion} of metadata.ownerReferences ?? []) {
      const owner = byUid.get(uid);
      if (!owner || !blockOwnerDeletion || kept.has(owner) || !owner.metadata.finalizers?.includes('foregroundDeletion')) continue;
      kept.add(owner);
      blocking.push(owner);
    }
  }
  return kept;
}

/** The dependents of an object, each with what should become of it and of its owners. */
function namers(is: ApiObject, found: ReadonlyMap<string, ApiObject>, known: ReadonlyMap<string, SoakObject>): string {
  const byUid = new Map([...known.values()].map((object) => [object.uid, object]));
  const told = dependentsOf(is, found).map((dependent) => {
    const object = byUid.get(dependent.metadata.uid!);
    const owners = object?.owners.map(
      (owner) => `${owner.path} (${fateOf(owner)}${found.has(owner.path) ? '' : ', not found'}, in ${JSON.stringify(owner.places)})`,
    );
    return `${described(dependent)} that ${object ? fateOf(object) : 'nobody knows'}, of ${owners?.join(' and ') ?? 'nobody'}`;
  });
  return told.join(', ') || 'none';
}

function dependentsOf({metadata: {uid}}: ApiObject, found: ReadonlyMap<string, ApiObject>): ApiObject[] {
  return [...found.values()].filter(({metadata}) => metadata.ownerReferences?.some((reference) => reference.uid === uid));
}

type Signed = ApiObject & {readonly status?: {readonly certificate?: string}};

/** What the pods and revisions of sets should be. */
function derivedFaults(workers: readonly SoakWorker[], found: ReadonlyMap<string, ApiObject>): string[] {
  const faults: string[] = [];
  const orphaned = new Set(workers.flatMap(({places}) => [...places].flatMap(({orphanedSets}) => [...orphanedSets])));
  const owned = new Map<string, string[]>();
  for (const [path, {metadata}] of found) {
    const isRevision = path.includes('/controllerrevisions/');
    if (!isRevision && !path.includes('/pods/')) continue;
    const owners = metadata.ownerReferences ?? [];
    // What was left behind goes with its namespace.
    if (owners.length === 0 && !orphaned.has(metadata.name!.replace(/-[^-]*$/, ''))) faults.push(`${path} belongs to nobody`);
    if (!isRevision) for (const {uid} of owners) owned.set(uid, [...(owned.get(uid) ?? []), metadata.name!]);
  }
  const sets = workers.flatMap(({objects}) => [...objects]).filter((object) => object.replicas !== undefined && fateOf(object) === 'stays');
  for (const set of sets) {
    const wanted = Array.from({length: set.replicas!}, (_, ordinal) => `${nameOf(set)}-${ordinal}`);
    const pods = (owned.get(set.uid) ?? []).sort();
    if (pods.join() !== wanted.join()) faults.push(`${set.path} should have the pods ${wanted.join()}, and has ${pods.join()}`);
  }
  return faults;
}

async function placeFaults(workers: readonly SoakWorker[], servers: SoakServers): Promise<string[]> {
  const faults: string[] = [];
  for (const {places} of workers) {
    for (const {path, deleted} of places) {
      const {status} = await servers.send('GET', path);
      if (status !== (deleted ? 404 : 200)) faults.push(`${path} answers ${status}`);
    }
  }
  return faults;
}

/** All objects of the kinds that the soak makes, by path. */
async function existing(workers: readonly SoakWorker[], servers: SoakServers): Promise<Map<string, ApiObject>> {
  const found = new Map<string, ApiObject>();
  const defined = workers.flatMap(({places}) => [...places].filter(({path}) => path.startsWith(definitions)));
  for (const collection of [...everywhere, ...defined.map(everywhereOf)]) {
    const answer = await servers.send('GET', collection);
    if (answer.status !== 200) continue;
    const at = collection.lastIndexOf('/');
    for (const object of answer.json<{items: ApiObject[]}>().items) {
      const {namespace, name} = object.metadata;
      if (namespace !== undefined && !namespace.startsWith('soak-') && !name!.startsWith(tokenName)) continue;
      const inside = namespace === undefined ? '' : `/namespaces/${namespace}`;
      found.set(`${collection.slice(0, at)}${inside}${collection.slice(at)}/${name}`, object);
    }
  }
  return found;
}

const nameOf = ({path}: SoakObject): string => path.slice(path.lastIndexOf('/') + 1);

function described({metadata, ...more}: ApiObject): string {
  return JSON.stringify({...metadata, managedFields: undefined, status: more['status']});
}
