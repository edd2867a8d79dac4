import test from 'ava';
import fc from 'fast-check';
import type {JsonObject} from '../../../../sdk/index.js';
import {fieldsOf, type FieldSet} from '../../../../core/api/apply/fields/field-set.js';
import {fieldsOfEntry} from '../../../../core/api/apply/managers/managed-fields.js';
import {compareObjects} from '../../../../core/api/apply/typed/compare.js';
import {ownedFields} from '../../../../core/api/apply/typed/owned-fields.js';
import {removeFields} from '../../../../core/api/apply/typed/remove.js';
import {mergeObjects} from '../../../../core/api/apply/typed/merge.js';
import {checkAsyncProperty, checkProperty} from '../seeded.js';
import {objectTypes, type ObjectType} from './random-types.js';
import {ReferenceModel} from './reference-model.js';
import {mergeSchema, Story} from './story.js';

type Operation = {readonly kind: 'update' | 'apply' | 'force'; readonly manager: string; readonly object: JsonObject};

const operations = ({objects}: ObjectType): fc.Arbitrary<Operation[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom('update' as const, 'apply' as const, 'apply' as const, 'force' as const),
      manager: fc.constantFrom('one', 'two', 'three'),
      object: objects,
    }),
    {minLength: 1, maxLength: 8},
  );

const paths = (set: FieldSet) => [...fieldsOf(set)].map((path) => JSON.stringify(path)).sort();
const ownersOf = ({entries}: Story) =>
  Object.fromEntries(
    entries.map((entry) => [`${entry.manager}${entry.operation === 'Update' ? ' (update)' : ''}`, paths(fieldsOfEntry(entry))]).sort(),
  );
const same = (got: unknown, wanted: unknown, what: string) => {
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    throw new Error(`${what}:\n${JSON.stringify(got)}\ninstead of\n${JSON.stringify(wanted)}`);
};
const sortedFlat = (model: ReferenceModel, object: JsonObject) =>
  [...model.flatten(object)].map(([path, {kind, value}]) => [path, kind === 'leaf' ? value : '']).sort();

async function run(story: Story, list: readonly Operation[]): Promise<void> {
  for (const {kind, manager, object} of list) {
    if (kind === 'update') await story.update(manager, object);
    else await story.apply(manager, object, {force: kind === 'force'});
  }
}

test('objects, owners and conflicts are those of a slow model, on random types and operations', async (t) => {
  const property = fc.asyncProperty(
    objectTypes.chain((type) => fc.tuple(fc.constant(type.schema), operations(type))),
    async ([schema, list]) => {
      const story = new Story(mergeSchema(schema));
      const model = new ReferenceModel(schema);
      for (const [index, {kind, manager, object}] of list.entries()) {
        const step = `step ${index}, ${kind} by ${manager}`;
        if (kind === 'update') {
          await story.update(manager, object);
          model.update(manager, object);
        } else {
          const conflicts = await story.apply(manager, object, {force: kind === 'force'});
          same(conflicts.length, model.apply(manager, object, kind === 'force').length, `conflicts of ${step}`);
        }
        same(
          ownersOf(story),
          Object.fromEntries([...model.owners].map(([owner, fields]) => [owner, [...fields].sort()]).sort()),
          `owners after ${step}`,
        );
        same(
          sortedFlat(model, story.content),
          [...model.object].map(([path, {kind: what, value}]) => [path, what === 'leaf' ? value : '']).sort(),
          `object after ${step}`,
        );
      }
    },
  );
  await checkAsyncProperty(t, property, 250);
});

test('applying a configuration twice changes nothing the second time', async (t) => {
  const property = fc.asyncProperty(
    objectTypes.chain((type) => fc.tuple(fc.constant(type.schema), operations(type), type.objects, fc.constantFrom('one', 'four'))),
    async ([schema, list, config, manager]) => {
      const story = new Story(mergeSchema(schema));
      await run(story, list);
      await story.apply(manager, config, {force: true});
      const {object, entries} = story;
      same(await story.apply(manager, config), [], 'conflicts');
      same(story.object, object, 'object');
      same(story.entries, entries, 'entries with their times');
    },
  );
  await checkAsyncProperty(t, property, 250);
});

test('two appliers of disjoint fields may come in any order', async (t) => {
  const overlap = (a: FieldSet, b: FieldSet) =>
    paths(a).some((path) => paths(b).some((other) => path === other || path.startsWith(`${other.slice(0, -1)},`)));
  let disjoint = 0;
  const property = fc.asyncProperty(
    objectTypes.chain((type) => fc.tuple(fc.constant(type.schema), operations(type), type.objects, type.objects)),
    async ([schema, list, left, right]) => {
      const merge = mergeSchema(schema);
      const [a, b] = [ownedFields(merge, left), ownedFields(merge, right)];
      // Items that both mention are shared: only the rest of the second configuration is applied.
      const shared = paths(b)
        .filter((path) => paths(a).includes(path))
        .map((path) => JSON.parse(path) as string[]);
      const rest =
        shared.length === 0
          ? right
          : Object.fromEntries(Object.entries(right).filter(([name]) => !shared.some(([first]) => first === `f:${name}`)));
      if (overlap(a, ownedFields(merge, rest)) || overlap(ownedFields(merge, rest), a)) return;
      disjoint += 1;
      const [first, second] = [new Story(merge), new Story(merge)];
      for (const story of [first, second]) await run(story, list);
      await first.apply('left', left, {force: true});
      await first.apply('right', rest, {force: true});
      await second.apply('right', rest, {force: true});
      await second.apply('left', left, {force: true});
      const model = new ReferenceModel(schema);
      same(sortedFlat(model, first.content), sortedFlat(model, second.content), 'object');
      same(ownersOf(first), ownersOf(second), 'owners');
    },
  );
  await checkAsyncProperty(t, property, 250);
  t.true(disjoint > 60, `only ${disjoint} pairs were disjoint`);
});

test('an object differs from itself in nothing, and from nothing in all that is owned and its places', (t) => {
  const property = fc.property(
    objectTypes.chain((type) => fc.tuple(fc.constant(type.schema), type.objects, type.objects)),
    ([schema, object, other]) => {
      const merge = mergeSchema(schema);
      const copy = structuredClone(object);
      same(compareObjects(merge, object, copy), undefined, 'difference');
      const added = compareObjects(merge, {}, object)?.added ?? {};
      const owned = paths(ownedFields(merge, object));
      same(
        owned.filter((path) => !paths(added).includes(path)),
        [],
        'owned and not added',
      );
      same(removeFields(merge, object, added), {}, 'what is left of an object without all its fields');
      // Merging twice is merging once, and merging with itself changes nothing.
      same(mergeObjects(merge, object, object), object, 'object merged with itself');
      const merged = mergeObjects(merge, object, other);
      same(mergeObjects(merge, merged, other), merged, 'configuration merged twice');
      same(compareObjects(merge, merged, mergeObjects(merge, merged, other)), undefined, 'difference after a second merge');
      same(copy, object, 'input');
    },
  );
  checkProperty(t, property, 250);
});
