import type {JsonObject, JsonValue} from '../../sdk/index.js';
import type {Place, PlaceKind} from './schema-places.js';

/** What a place gets: a value, or nothing (it is taken away). */
export type Change = {readonly value: JsonValue} | 'absent' | 'twice';

const long = 'a'.repeat(300);

/** Values that a rule may refuse, or that a default or a conversion may change. */
const changes: Readonly<Record<PlaceKind, readonly Change[]>> = {
  text: [
    {value: ''},
    {value: 'Not_Valid!'},
    {value: long},
    {value: 5},
    {value: 'plain'},
    {value: '/a/../b'},
    {value: '10.0.0.300'},
    'absent',
  ],
  enum: [{value: ''}, {value: 'Other'}, 'absent'],
  integer: [{value: -1}, {value: 0}, {value: 70_000}, {value: 2_147_483_648}, {value: 'x'}, {value: 1}, {value: 1.5}, 'absent'],
  number: [{value: -1.5}, {value: 'x'}],
  boolean: [{value: true}, {value: false}, {value: 'yes'}],
  quantity: [{value: '-1'}, {value: '0'}, {value: '1500m'}, {value: 'x'}, {value: 5}],
  intOrString: [{value: -1}, {value: '150%'}, {value: 'x'}, {value: 70_000}, {value: 0}],
  time: [{value: 'yesterday'}, {value: '2030-01-01T00:00:00Z'}],
  list: [{value: []}, {value: null}, {value: {}}, {value: 'x'}, 'twice'],
  map: [{value: {}}, {value: null}, {value: {'bad key!': 'x'}}, {value: {key: 'v'}}, {value: {key: 5}}, {value: []}],
  object: [{value: {}}, {value: null}, {value: {unknownField: 1}}, {value: 'x'}, 'absent'],
};

/** The changes of a place, one after the other. */
export function changesOf({kind}: Place): readonly Change[] {
  return changes[kind];
}

/** A copy of an object with a change at a place. What is missing above it is made. @returns undefined where nothing would change */
export function changed(object: JsonObject, {steps}: Place, change: Change): JsonObject | undefined {
  const copy = structuredClone(object);
  let above: JsonValue = copy;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const found = member(above, step);
    const next: JsonValue = found !== undefined && typeof found === 'object' && found !== null ? found : steps[index + 1] === 0 ? [] : {};
    put(above, step, next);
    above = next;
  }
  const last = steps.at(-1)!;
  const before = member(above, last);
  if (change === 'absent') {
    if (before === undefined || Array.isArray(above)) return undefined;
    delete (above as Record<string, JsonValue>)[last];
  } else if (change === 'twice') {
    if (!Array.isArray(before) || before.length === 0) return undefined;
    put(above, last, [...before, structuredClone(before[0]!)]);
  } else {
    put(above, last, change.value);
  }
  return copy;
}

function member(above: JsonValue, step: string | 0): JsonValue | undefined {
  return (above as Record<string, JsonValue>)[step];
}

function put(above: JsonValue, step: string | 0, value: JsonValue): void {
  (above as Record<string, JsonValue>)[step] = value;
}
