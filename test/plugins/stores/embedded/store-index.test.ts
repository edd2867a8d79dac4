import {isDeepStrictEqual} from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import type {ChangeHeader} from '../../../../plugins/stores/embedded/record-table.js';
import {StoreIndex} from '../../../../plugins/stores/embedded/store-index.js';
import {StoreError} from '../../../../sdk/index.js';

const seed = Number(process.env.ORCH_TEST_SEED ?? Date.now() % 1_000_000_007);

/** A small store: what the index knows, and the records that a table would have. */
class Model {
  readonly records = new Map<number, ChangeHeader>();
  floor = 0;

  constructor(readonly index = new StoreIndex(0)) {}

  change(type: string, key: string, remove: boolean): void {
    const previous = this.index.revisionOf(type, key);
    if (remove && previous === 0) return;
    const header = {revision: this.index.revision + 1, time: this.index.revision, type, key, previous, deleted: remove};
    this.index.apply(header);
    this.records.set(header.revision, header);
  }

  /** Cuts the log; of the records that are not needed only the first few are removed, as in a crash. */
  cut(upTo: number, removals: number): void {
    if (upTo <= this.index.floor) return;
    this.floor = upTo;
    for (const revision of this.index.cut(upTo).slice(0, removals)) this.records.delete(revision);
  }

  headers(): ChangeHeader[] {
    return [...this.records.values()].toSorted((a, b) => a.revision - b.revision);
  }
}

const types = ['a', '__proto__'];
const keys = ['x', 'y', 'constructor'];

function stateOf(index: StoreIndex): unknown {
  return {
    revision: index.revision,
    floor: index.floor,
    live: types.map((type) => [...index.live(type)].toSorted()),
    changes: types.map((type) => index.changesOf(type)),
  };
}

const step = fc.oneof(
  {weight: 8, arbitrary: fc.record({type: fc.constantFrom(...types), key: fc.constantFrom(...keys), remove: fc.boolean()})},
  {weight: 1, arbitrary: fc.record({back: fc.nat(6), removals: fc.nat(8)})},
);

test(`a store opened after a crash anywhere in a compaction has the same state and log, and keeps no record too many (seed ${seed})`, (t) => {
  fc.assert(
    fc.property(fc.array(step, {maxLength: 80}), (steps) => {
      let model = new Model();
      for (const current of steps) {
        if ('key' in current) {
          model.change(current.type, current.key, current.remove);
          continue;
        }
        model.cut(Math.max(0, model.index.revision - current.back), current.removals);
        const before = stateOf(model.index);
        const reopened = new Model(new StoreIndex(model.floor));
        reopened.floor = model.floor;
        const unneeded = reopened.index.load(model.headers());
        for (const [revision, header] of model.records) reopened.records.set(revision, header);
        for (const revision of unneeded) reopened.records.delete(revision);
        // Needed is: what is live, the log, and what a change of the log has replaced.
        const needed = new Set<number>();
        for (const type of types) {
          for (const key of keys) needed.add(reopened.index.revisionOf(type, key));
          for (const revision of reopened.index.changesOf(type)) {
            needed.add(revision);
            needed.add(reopened.records.get(revision)!.previous);
          }
        }
        needed.delete(0);
        if (!isDeepStrictEqual(stateOf(reopened.index), before)) return false;
        if (!isDeepStrictEqual(new Set(reopened.records.keys()), needed)) return false;
        model = reopened;
      }
      return true;
    }),
    {seed, numRuns: 1500},
  );
  t.pass();
});

test('a change that does not follow from the state is refused with Corrupt', (t) => {
  const index = new StoreIndex(0);
  const header = {time: 1, type: 'a', key: 'x', deleted: false};
  index.apply({...header, revision: 3, previous: 0});
  for (const wrong of [
    {...header, revision: 4, previous: 2},
    {...header, revision: 4, previous: 0},
    {...header, revision: 3, previous: 3},
    {...header, revision: 4, previous: 3, key: 'y'},
  ]) {
    const error = t.throws<StoreError>(() => index.apply(wrong), {instanceOf: StoreError});
    t.is(error.code, 'Corrupt');
  }
  index.apply({...header, revision: 4, previous: 3});
  t.is(index.revision, 4);
});
