import {Random} from '../../../test/helpers/random.js';
import type {Action, Answer, Operation, Sighting, WatchEntry, WatchHistory} from './history.js';

/** What a wrong store does. */
export type PlantedFault =
  /** An acknowledged write is not made. */
  | 'loses writes'
  /** A get answers what was there before. */
  | 'reads the past'
  /** Compares nothing: an update overwrites whatever is there. */
  | 'overwrites'
  /** The counter is set back. */
  | 'reuses versions'
  | 'drops events'
  | 'repeats events'
  | 'reorders events'
  | 'bookmarks too far'
  | 'drops events of all watches';

/** What clients of a store saw. */
export interface DoubleHistory {
  readonly operations: readonly Operation[];
  readonly sightings: readonly Sighting[];
  readonly watches: readonly WatchHistory[];
  readonly held: ReadonlyMap<string, string>;
  readonly real: ReadonlyMap<string, string>;
}

const clients = 4;

/**
 * A store in a few lines and clients of it that overlap, for tests of the checkers: right, or wrong in one way and now and then only.
 * A client in turn calls, takes effect or gets its answer, so that histories have many orders.
 */
export function doubleHistory(seed: number, turns: number, fault?: PlantedFault): DoubleHistory {
  const random = new Random(seed);
  const objects = new Map<string, {value: string; version: number}>();
  const past = new Map<string, string>();
  const known = new Map<string, string>();
  const operations: Operation[] = [];
  const sightings: Sighting[] = [];
  const log: (Sighting & {readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'})[] = [];
  let version = 0;
  let values = 0;

  const change = (key: string, value: string | null): number => {
    const before = objects.get(key);
    if (before) past.set(key, before.value);
    if (fault === 'reuses versions' && version > 5 && random.chance(0.2)) version -= 3;
    version++;
    const type = value === null ? 'DELETED' : before ? 'MODIFIED' : 'ADDED';
    const entry = {type, version, key, value: value ?? before!.value, deleted: value === null} as const;
    sightings.push(entry);
    log.push(entry);
    if (value === null) objects.delete(key);
    else objects.set(key, {value, version});
    return version;
  };
  const effect = (key: string, action: Action): Answer => {
    const found = objects.get(key);
    if (action.kind === 'get') {
      const value = fault === 'reads the past' && random.chance(0.1) ? (past.get(key) ?? found?.value) : found?.value;
      if (value !== undefined) known.set(key, value);
      return value === undefined ? {kind: 'missing'} : {kind: 'ok', value};
    }
    if (action.kind === 'create' && found) return {kind: 'exists'};
    if (action.kind !== 'create') {
      if (!found) return {kind: 'missing'};
      if (found.value !== action.expected && !(fault === 'overwrites' && random.chance(0.2))) return {kind: 'conflict'};
    }
    if (fault === 'loses writes' && random.chance(0.05)) return {kind: 'ok'};
    return {kind: 'ok', version: change(key, action.kind === 'delete' ? null : action.value)};
  };

  const running: ({key: string; action: Action; called: number; answer?: Answer} | undefined)[] = Array.from({length: clients});
  for (let at = 0; at < turns; at++) {
    const client = random.below(clients);
    const call = running[client];
    if (call === undefined) {
      const key = `k${random.below(2)}`;
      const expected = known.get(key);
      const value = `v${++values}`;
      const kind = random.pick(['get', 'get', 'create', 'update', 'update', 'delete'] as const);
      const action: Action =
        kind === 'get' || (kind !== 'create' && expected === undefined)
          ? {kind: 'get'}
          : kind === 'create'
            ? {kind, value}
            : kind === 'update'
              ? {kind, value, expected: expected!}
              : {kind, expected: expected!};
      running[client] = {key, action, called: at};
    } else if (call.answer === undefined) {
      call.answer = effect(call.key, call.action);
    } else {
      const {key, action, called, answer} = call;
      const lost = random.chance(0.05);
      operations.push({client, key, action, called, returned: lost ? Infinity : at, answer: lost ? {kind: 'unknown'} : answer});
      running[client] = undefined;
    }
  }
  // Whoever has had no answer by then never gets one; then everything is read.
  for (const [client, call] of running.entries()) {
    if (call)
      operations.push({client, key: call.key, action: call.action, called: call.called, returned: Infinity, answer: {kind: 'unknown'}});
  }
  for (const key of ['k0', 'k1']) {
    const value = objects.get(key)?.value;
    const answer: Answer = value === undefined ? {kind: 'missing'} : {kind: 'ok', value};
    operations.push({client: 0, key, action: {kind: 'get'}, called: turns, returned: turns + 1, answer});
  }
  const watches = [0, 1].map((watcher) => watchOf(watcher, log, random, fault));
  const held = new Map<string, string>();
  for (const entry of watches[0]!.entries) {
    if (entry.type === 'DELETED') held.delete(entry.key);
    else if (entry.type !== 'BOOKMARK') held.set(entry.key, entry.value);
  }
  return {operations, sightings, watches, held, real: new Map([...objects].map(([key, {value}]) => [key, value]))};
}

function watchOf(
  watcher: number,
  log: readonly Exclude<WatchEntry, {type: 'BOOKMARK'}>[],
  random: Random,
  fault?: PlantedFault,
): WatchHistory {
  const entries: WatchEntry[] = [];
  const all = fault === 'drops events of all watches' ? log.filter((_, index) => index % 10 !== 7) : log;
  for (const [index, entry] of all.entries()) {
    if (fault === 'drops events' && watcher === 0 && random.chance(0.1) && index < all.length - 1) continue;
    if (fault === 'reorders events' && watcher === 0 && random.chance(0.1) && entries.length > 0) entries.splice(-1, 0, entry);
    else entries.push(entry);
    if (fault === 'repeats events' && watcher === 0 && random.chance(0.1)) entries.push(entry);
    if (random.chance(0.1)) entries.push({type: 'BOOKMARK', version: entry.version + (fault === 'bookmarks too far' ? 2 : 0)});
  }
  return {watcher, from: 0, entries, expired: false};
}
