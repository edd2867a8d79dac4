import {randomUUID} from 'node:crypto';
import {badRequest, notFound, requestEntityTooLarge, StoreError, type Commit, type NamingProfile, type Store} from '../../sdk/index.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';
import {ownerDepths} from './owner-depths.js';

/** More are no suite's need; the oldest is forgotten. */
const maximumSnapshots = 32;
/** Of all snapshots together. */
const maximumBytes = 256 * 1024 * 1024;
/** Others may write while a snapshot is restored; a suite that is not at rest never gets there. */
const maximumRounds = 20;

type Records = ReadonlyMap<string, {readonly revision: number; readonly value: Buffer}>;

interface Snapshot {
  readonly bytes: number;
  /** By type. */
  readonly types: ReadonlyMap<string, Records>;
}

/** What restoring a snapshot has changed. */
export interface Restored {
  readonly written: number;
  readonly deleted: number;
}

/**
 * Snapshots of all objects of a test server, in memory. Restoring writes and deletes what has changed since, at new revisions and past admission, validation
 * and finalizers: resource versions go on growing, and watchers see ordinary events, so that informers and caches of a suite need not start again.
 * Leases of the system namespace are left alone: the servers' own controllers hold them.
 */
export class StoreSnapshots {
  readonly #store: Store;
  readonly #catalog: ResourceCatalog;
  readonly #leases: {readonly type: string; readonly prefix: string};
  readonly #snapshots = new Map<string, Snapshot>();
  /** Revisions at which restored records are now: they are what a snapshot has under an older one. */
  readonly #same = new WeakMap<Buffer, Map<string, number>>();

  constructor(store: Store, catalog: ResourceCatalog, naming: NamingProfile) {
    this.#store = store;
    this.#catalog = catalog;
    this.#leases = {type: 'leases.coordination.orch', prefix: `${naming.systemNamespace}/`};
  }

  /** @returns its name and how many objects it has. @throws StatusError 413 when it is too large */
  async take(): Promise<{id: string; objects: number}> {
    const types = await this.#contents(this.#types());
    const records = [...types.values()].flatMap((each) => [...each.values()]);
    const bytes = records.reduce((sum, {value}) => sum + value.length, 0);
    if (bytes > maximumBytes) throw requestEntityTooLarge(maximumBytes, 'the objects of the server are too large for a snapshot');
    const id = randomUUID();
    this.#snapshots.set(id, {bytes, types});
    const all = () => [...this.#snapshots.values()].reduce((sum, each) => sum + each.bytes, 0);
    while (this.#snapshots.size > maximumSnapshots || all() > maximumBytes) this.#snapshots.delete(this.#snapshots.keys().next().value!);
    return {id, objects: records.length};
  }

  /** @throws StatusError 404 for a snapshot that is not there, 400 when others go on writing */
  async restore(id: string): Promise<Restored> {
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined) throw notFound({group: 'testing.orch', resource: 'snapshots', name: id});
    let written = 0;
    let deleted = 0;
    for (let round = 0; round < maximumRounds; round++) {
      const {writes, deletions} = this.#changes(snapshot, await this.#contents(new Set([...snapshot.types.keys(), ...this.#types()])));
      if (writes.length + deletions.length === 0) return {written, deleted};
      // Definitions and namespaces exist before and after what is in them.
      const outcomes = await Promise.all([...writes.sort(outerFirst), ...deletions.sort(outerLast)].map((change) => this.#commit(change)));
      const done = outcomes.filter((revision) => revision !== undefined).length;
      const wrote = outcomes.slice(0, writes.length).filter((revision) => revision !== undefined).length;
      written += wrote;
      deleted += done - wrote;
      if (done === outcomes.length) return {written, deleted};
    }
    throw badRequest('the snapshot could not be restored because objects went on changing: stop what writes them first');
  }

  #types(): Set<string> {
    return new Set([...this.#catalog.types()].map(({storageName}) => storageName));
  }

  async #contents(types: ReadonlySet<string>): Promise<Map<string, Records>> {
    const {type: leases, prefix} = this.#leases;
    const contents = await Promise.all(
      [...types].map(async (type) => {
        const {records} = await this.#store.list(type);
        const kept = [...records].filter(({key}) => type !== leases || !key.startsWith(prefix));
        return [type, new Map(kept.map(({key, revision, value}) => [key, {revision, value}]))] as const;
      }),
    );
    return new Map(contents);
  }

  #changes({types}: Snapshot, now: ReadonlyMap<string, Records>): {writes: Commit[]; deletions: Commit[]} {
    const writes: Commit[] = [];
    const deletions: Commit[] = [];
    for (const [type, records] of now) {
      const wanted = types.get(type) ?? new Map<string, never>();
      for (const [key, {revision}] of records) if (!wanted.has(key)) deletions.push({type, key, expected: revision, value: null});
      for (const [key, {revision, value}] of wanted) {
        const current = records.get(key);
        if (current?.revision === revision || (current && this.#same.get(value)?.get(`${type} ${key}`) === current.revision)) continue;
        writes.push({type, key, expected: current?.revision ?? 0, value});
      }
    }
    // Owners are there before what they own: garbage collection deletes what has none.
    const depths = ownerDepths(writes.flatMap(({value}) => value ?? []));
    const depthOf = ({value}: Commit) => (value === null ? 0 : (depths.get(value) ?? 0));
    writes.sort((one, other) => depthOf(one) - depthOf(other));
    return {writes, deletions};
  }

  /** Undefined when somebody else was first. */
  async #commit(change: Commit): Promise<number | undefined> {
    try {
      const revision = await this.#store.commit(change);
      if (change.value !== null) this.#remember(change.value, `${change.type} ${change.key}`, revision);
      return revision;
    } catch (error) {
      if (StoreError.is(error) && (error.code === 'Exists' || error.code === 'Missing' || error.code === 'Mismatch')) return undefined;
      throw error;
    }
  }

  #remember(value: Buffer, record: string, revision: number): void {
    const known = this.#same.get(value) ?? new Map<string, number>();
    this.#same.set(value, known.set(record, revision));
  }
}

const outer = ['customresourcedefinitions.apiextensions.orch', 'namespaces'];

function outerFirst(one: Commit, other: Commit): number {
  return outer.indexOf(other.type) - outer.indexOf(one.type);
}

function outerLast(one: Commit, other: Commit): number {
  return -outerFirst(one, other);
}
