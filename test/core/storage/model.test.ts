import test, {type ExecutionContext} from 'ava';
import type {ApiObject, Store} from '../../../sdk/index.js';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import type {ListQuery, ListResult, Selection} from '../../../core/storage/read/list-query.js';
import type {Storage} from '../../../core/storage/storage.js';
import type {TypeStorage} from '../../../core/storage/type-storage.js';
import {CollectingSink, encoder, memoryStore, startStorage, widget, widgets, isExpired} from './support.js';

/** Numbers between 0 and 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type State = ReadonlyMap<string, ApiObject>;

/** What is true, kept the slow way: every state there ever was. */
class Model {
  readonly states: {revision: number; state: State; key: string}[] = [];

  get current(): State {
    return this.states.at(-1)?.state ?? new Map<string, ApiObject>();
  }

  record(revision: number, key: string, object: ApiObject | undefined): void {
    const state = new Map(this.current);
    if (object) state.set(key, JSON.parse(JSON.stringify(object)) as ApiObject);
    else state.delete(key);
    this.states.push({revision, state, key});
  }

  at(revision: number): State {
    return this.states.findLast((entry) => entry.revision <= revision)?.state ?? new Map<string, ApiObject>();
  }

  list(revision: number, selection: Selection): ApiObject[] {
    return [...this.at(revision)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object)
      .filter((object) => selects(selection, object));
  }

  /** The events after a revision, as JSON. */
  events(after: number, selection: Selection): string[] {
    const events: string[] = [];
    for (const [index, {revision, state, key}] of this.states.entries()) {
      if (revision <= after) continue;
      const before = this.states[index - 1]?.state.get(key);
      const now = state.get(key);
      const wasSelected = before !== undefined && selects(selection, before);
      if (now && selects(selection, now)) events.push(JSON.stringify({type: wasSelected ? 'MODIFIED' : 'ADDED', object: now}));
      else if (wasSelected)
        events.push(
          JSON.stringify({type: 'DELETED', object: {...before, metadata: {...before.metadata, resourceVersion: String(revision)}}}),
        );
    }
    return events;
  }
}

function selects({namespace, name, labelSelector, fieldSelector}: Selection, object: ApiObject): boolean {
  const {metadata} = object;
  const fields = {
    'metadata.name': metadata.name!,
    'metadata.namespace': metadata.namespace!,
    'spec.node': String((object.spec as {node?: string}).node ?? ''),
  };
  return (
    (!namespace || namespace === metadata.namespace) &&
    (!name || name === metadata.name) &&
    (labelSelector?.matches(metadata.labels) ?? true) &&
    (fieldSelector?.matches(fields) ?? true)
  );
}

/** A random run against the model: two servers on one store, a third one that starts again and again. */
class Run {
  readonly model = new Model();
  private readonly watches: {sink: CollectingSink; after: number; selection: Selection; initial: string[]}[] = [];
  private readonly tokens: {query: ListQuery; revision: number; shown: ApiObject[]; token: string}[] = [];
  private compacted = 0;

  constructor(
    private readonly t: ExecutionContext,
    private readonly random: () => number,
    private readonly store: Store,
    private readonly servers: Storage[],
  ) {}

  async step(): Promise<void> {
    const dice = this.random();
    if (dice < 0.5) await this.write();
    else if (dice < 0.65) await this.list();
    else if (dice < 0.75) await this.exact();
    else if (dice < 0.85) await this.page();
    else if (dice < 0.97) await this.watch();
    else if (dice < 0.98) await this.compact();
    else await this.restart();
  }

  async finish(): Promise<void> {
    const last = this.model.states.at(-1)!.revision;
    for (const {sink, after, selection, initial} of this.watches) {
      const expected = [...initial, ...this.model.events(after, selection)];
      await sink.until(() => sink.events.length >= expected.length);
      this.t.deepEqual(
        sink.events.map((event) => JSON.stringify(sorted(event))),
        expected.map((event) => JSON.stringify(sorted(JSON.parse(event)))),
      );
    }
    for (const server of this.servers) {
      const {revision, items} = await widgets(server).list({freshness: 'recent'});
      this.t.is(revision, last);
      this.same(
        items.map((item) => item.object()),
        this.model.list(last, {}),
      );
    }
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random() * choices.length)]!;
  }

  private server(): TypeStorage {
    return widgets(this.pick(this.servers));
  }

  private selection(): Selection {
    return {
      ...(this.random() < 0.4 ? {namespace: this.pick(['a', 'a-b', 'b'])} : {}),
      ...(this.random() < 0.1 ? {name: this.pick(['n1', 'n2'])} : {}),
      ...(this.random() < 0.3
        ? {labelSelector: parseLabelSelector(this.pick(['app=x', 'app!=x', 'app in (x,y)', 'app', '!app', 'app notin (y)']))}
        : {}),
      ...(this.random() < 0.2
        ? {
            fieldSelector: parseFieldSelector(
              this.pick(['spec.node=m', 'spec.node!=m', 'metadata.name=n1', 'metadata.namespace=b', 'metadata.name!=n2']),
            ),
          }
        : {}),
    };
  }

  private async write(): Promise<void> {
    const [namespace, name] = [this.pick(['a', 'a-b', 'b']), this.pick(['n1', 'n2', 'n3', 'n4', 'n5', 'n6'])];
    const key = `${namespace}/${name}`;
    const type = this.server();
    const current = await type.get(namespace, name, 'recent');
    this.same(current?.object(), this.model.current.get(key));
    if (current && this.random() < 0.3) {
      this.model.record((await type.delete(namespace, name, current.revision)).revision, key, undefined);
      return;
    }
    const app = this.pick(['x', 'y', 'z', undefined]);
    const object = widget(namespace, name, {
      ...(app ? {labels: {app}} : {}),
      node: this.pick(['m', 'n']),
      data: Math.floor(this.random() * 1000),
    });
    const stored = current ? await type.update(object, current, namespace, name) : await type.create(object, namespace, name);
    this.model.record(stored.revision, key, stored.object());
  }

  private async list(): Promise<void> {
    const selection = this.selection();
    const freshness = this.pick(['recent', 'any', {atLeast: this.model.states.at(-1)?.revision ?? 0}] as const);
    const limit = this.random() < 0.5 ? 1 + Math.floor(this.random() * 5) : 0;
    const query: ListQuery = {...selection, freshness, limit};
    const result = await this.server().list(query);
    if (freshness !== 'any') this.t.is(result.revision, this.model.states.at(-1)?.revision ?? 0);
    this.checkChunk(query, result, []);
  }

  private async exact(): Promise<void> {
    if (this.model.states.length === 0) return;
    const {revision} = this.pick(this.model.states);
    const query: ListQuery = {...this.selection(), freshness: {exact: revision}, limit: this.random() < 0.5 ? 2 : 0};
    try {
      const result = await this.server().list(query);
      this.t.is(result.revision, revision);
      this.checkChunk(query, result, []);
    } catch (error) {
      this.t.true(isExpired(error) && revision < this.compacted, `${String(error)} at ${revision}, compacted ${this.compacted}`);
    }
  }

  private async page(): Promise<void> {
    if (this.tokens.length === 0) return;
    const index = Math.floor(this.random() * this.tokens.length);
    const [{query, revision, shown, token}] = this.tokens.splice(index, 1) as [(typeof this.tokens)[0]];
    try {
      const result = await this.server().list({...query, continueToken: token});
      this.t.is(result.revision, revision);
      this.checkChunk(query, result, shown);
    } catch (error) {
      this.t.true(isExpired(error) && revision < this.compacted, `${String(error)} at ${revision}, compacted ${this.compacted}`);
    }
  }

  private checkChunk(query: ListQuery, {revision, items, continueToken, remaining}: ListResult, before: ApiObject[]): void {
    const all = this.model.list(revision, query);
    const shown = [...before, ...items.map((item) => item.object())];
    this.same(shown, all.slice(0, shown.length));
    this.t.is(continueToken !== undefined, shown.length < all.length);
    if (query.limit) this.t.true(items.length <= query.limit);
    const counted = continueToken !== undefined && !query.labelSelector && !query.fieldSelector && !query.name;
    this.t.is(remaining, counted ? all.length - shown.length : undefined);
    if (continueToken) this.tokens.push({query, revision, shown, token: continueToken});
  }

  private async watch(): Promise<void> {
    const selection = this.selection();
    const sink = new CollectingSink();
    const type = this.server();
    const fresh = this.random() < 0.5 || this.model.states.length === 0;
    const after = fresh ? (this.model.states.at(-1)?.revision ?? 0) : this.pick(this.model.states).revision;
    try {
      const handle = await type.watch(
        {...selection, start: fresh ? {kind: 'initial', freshness: 'recent'} : {kind: 'after', revision: after}, bookmarks: false, encoder},
        sink,
      );
      this.t.teardown(() => handle.close());
      const initial = fresh ? this.model.list(after, selection).map((object) => JSON.stringify({type: 'ADDED', object})) : [];
      this.watches.push({sink, after, selection, initial});
    } catch (error) {
      this.t.true(isExpired(error) && after < this.compacted, String(error));
    }
  }

  /** Cuts the log, so that a server that starts later knows less. */
  private async compact(): Promise<void> {
    if (this.model.states.length < 20) return;
    const {revision} = this.model.states.at(-10 - Math.floor(this.random() * 10))!;
    await this.store.compact(0, revision);
    this.compacted = Math.max(this.compacted, revision);
  }

  private async restart(): Promise<void> {
    this.servers[2] = await startStorage(this.t, this.store, {maximumSnapshots: 3});
  }

  private same(actual: unknown, expected: unknown): void {
    this.t.deepEqual(sorted(actual), sorted(expected));
  }
}

/** Values with the members of objects in order, so that they can be compared as text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

for (const seed of [1, 22, 333, 4444]) {
  test(`lists, pages, older states and watches agree with a slow model under random writes (seed ${seed})`, async (t) => {
    const store = await memoryStore(t);
    const servers = [await startStorage(t, store), await startStorage(t, store, {maximumSnapshots: 1}), await startStorage(t, store)];
    const run = new Run(t, generator(seed), store, servers);
    for (let step = 0; step < 600; step++) await run.step();
    await run.finish();
  });
}
