import {decodeContinueToken, encodeContinueToken, inconsistentRevision, type ContinuePosition} from './continue-token.js';
import type {ListQuery, ListResult} from './list-query.js';
import {ObjectSelector} from './object-selector.js';
import {comparedAtOnce, countObjects, selectObjects, type SelectedPart} from './select-objects.js';
import {selectInPieces} from './select-in-pieces.js';
import type {SortedTree} from '../cache/sorted-tree.js';
import type {StorageSettings} from '../storage-options.js';
import type {TypeCache} from '../cache/type-cache.js';
import type {Freshness, TypeFeed} from '../follow/type-feed.js';
import {StorageError} from '../storage-error.js';

/** A chunk of a list being read. */
interface Chunk {
  readonly selector: ObjectSelector;
  readonly scope: string;
  readonly limit: number;
  /** Where the chunk begins; undefined for the first. */
  readonly position?: ContinuePosition;
}

/** How many objects a namespace has, or the whole state, whose keys come after one. */
type Count = (namespace: string | undefined, after: string | undefined) => number;

const inTree =
  (tree: SortedTree): Count =>
  (namespace, after) =>
    countObjects(tree, namespace, after);

/** Serves lists of one type: of the current state or an older one, whole or in chunks. */
export class ListReader {
  readonly #feed: TypeFeed;
  readonly #namespaced: boolean;
  readonly #settings: StorageSettings;

  constructor(feed: TypeFeed, namespaced: boolean, settings: StorageSettings) {
    this.#feed = feed;
    this.#namespaced = namespaced;
    this.#settings = settings;
  }

  /** See `TypeStorage.list`. */
  list(query: ListQuery): ListResult | Promise<ListResult> {
    const selector = new ObjectSelector(query, this.#namespaced);
    const chunk = {selector, scope: `${this.#feed.type}|${selector.id}`, limit: query.limit || Infinity};
    if (query.continueToken) return this.#next({...chunk, position: decodeContinueToken(query.continueToken, chunk.scope)});
    const {freshness} = query;
    if (typeof freshness === 'object' && 'exact' in freshness) return this.#exact(chunk, freshness.exact);
    return this.#current(chunk, freshness);
  }

  #next(chunk: Chunk & {position: ContinuePosition}): ListResult | Promise<ListResult> {
    const {revision, after} = chunk.position;
    // A forged token must not keep a state for longer.
    const since = Math.min(chunk.position.since, this.#settings.clock());
    if (revision === inconsistentRevision) return this.#current(chunk, 'recent');
    const expiredToken = () => {
      const continueToken = encodeContinueToken({revision: inconsistentRevision, after, since}, chunk.scope);
      return new StorageError({code: 'ExpiredContinue', continueToken});
    };
    const expires = since + this.#settings.historyMillis;
    if (expires < this.#settings.clock() || this.#feed.shard.isLost(revision)) throw expiredToken();
    const answer = (cache: TypeCache) => {
      const tree = cache.stateAt(revision, expires);
      if (!tree) throw expiredToken();
      return this.#part(chunk, revision, tree, inTree(tree), () => ({since}));
    };
    return later(this.#feed.ready({atLeast: revision}), answer);
  }

  #exact(chunk: Chunk, revision: number): ListResult | Promise<ListResult> {
    if (this.#feed.shard.isLost(revision)) throw tooOld(revision, this.#feed.shard.lostUpTo);
    return later(this.#feed.ready({atLeast: revision}), (cache) => {
      const since = this.#settings.clock();
      const tree = cache.stateAt(revision, since + this.#settings.historyMillis);
      if (!tree) throw tooOld(revision, cache.window.floor);
      return this.#part(chunk, revision, tree, inTree(tree), () => ({since}));
    });
  }

  #current(chunk: Chunk, freshness: Freshness): ListResult | Promise<ListResult> {
    return later(this.#feed.ready(freshness), (cache) => {
      const {revision, tree} = cache;
      const since = this.#settings.clock();
      const {selector} = chunk;
      // Keeps the state for the next chunk now, while it is the current one.
      const keep = () => cache.stateAt(revision, since + this.#settings.historyMillis)!;
      const count: Count = (namespace, after) =>
        namespace !== undefined && after === undefined ? cache.namespaceCounts.of(namespace, tree) : countObjects(tree, namespace, after);
      if (selector.view) return this.#part(chunk, revision, keep(), count, () => ({since}));
      const indexed = selector.filtered ? cache.valueIndex.candidates(selector, tree, since) : undefined;
      if (takesTurns(selector, indexed ?? tree)) {
        const state = keep();
        return this.#part(chunk, revision, indexed?.clone() ?? state, count, () => ({since}));
      }
      return this.#part(chunk, revision, indexed ?? tree, count, () => {
        keep();
        return {since};
      });
    });
  }

  #part(
    chunk: Chunk,
    revision: number,
    candidates: SortedTree,
    count: Count,
    keep: () => {since: number},
  ): ListResult | Promise<ListResult> {
    const {selector, limit, position} = chunk;
    const namespaced = this.#namespaced;
    if (selector.view || takesTurns(selector, candidates)) {
      const task = this.#settings.scheduler.task('request', 'selecting objects of a large type');
      return selectInPieces(candidates, selector, namespaced, position?.after, limit, task).then((part) =>
        this.#result(chunk, revision, count, part, keep),
      );
    }
    return this.#result(chunk, revision, count, selectObjects(candidates, selector, namespaced, position?.after, limit), keep);
  }

  #result(chunk: Chunk, revision: number, count: Count, {items, more}: SelectedPart, keep: () => {since: number}): ListResult {
    const {selector, scope, position} = chunk;
    if (!more) return {revision, items};
    const countable = !selector.filtered && selector.name === undefined;
    const before = () => position?.remaining ?? count(selector.namespace, position?.after);
    const remaining = countable ? Math.max(1, before() - items.length) : undefined;
    const {since} = keep();
    const continueToken = encodeContinueToken({revision, after: items.at(-1)!.key, since, remaining}, scope);
    return {revision, items, continueToken, ...(remaining === undefined ? {} : {remaining})};
  }
}

function takesTurns(selector: ObjectSelector, candidates: SortedTree): boolean {
  return selector.filtered && candidates.size > comparedAtOnce;
}

function tooOld(requested: number, oldest: number): StorageError {
  return new StorageError({code: 'ListTooOld', requested, oldest});
}

function later<T>(cache: TypeCache | Promise<TypeCache>, answer: (cache: TypeCache) => T | Promise<T>): T | Promise<T> {
  return cache instanceof Promise ? cache.then(answer) : answer(cache);
}
