import test from 'ava';
import fc from 'fast-check';
import {
  difference,
  equalSets,
  fieldsOf,
  intersection,
  isEmptySet,
  isMember,
  leavesOf,
  recursiveDifference,
  recursiveIntersection,
  setOf,
  union,
  type FieldPathElements,
  type FieldSet,
} from '../../../../core/api/apply/fields/field-set.js';
import {InvalidFields} from '../../../../core/api/apply/fields/invalid-fields.js';
import {readFields, sortedFields} from '../../../../core/api/apply/fields/normal-fields.js';
import {keyElement, memberElement, pathText, valueElement} from '../../../../core/api/apply/fields/path-element.js';
import {checkProperty} from '../seeded.js';

const element = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '__proto__', 'f:x').map(memberElement),
  fc.constantFrom('x', 'y', '"', 1, true, 9_007_199_254_740_993n).map(valueElement),
  fc.constantFrom(1, 2).map((port) =>
    keyElement([
      ['port', port],
      ['protocol', 'TCP'],
    ]),
  ),
);
const path = fc.array(element, {minLength: 1, maxLength: 4});
const paths = fc.array(path, {maxLength: 12});

/** The slow model: a set of paths written out. */
const modelOf = (list: readonly FieldPathElements[]) => new Set(list.map((entry) => JSON.stringify(entry)));
const modelOfSet = (set: FieldSet) => modelOf([...fieldsOf(set)]);
const sorted = (model: Iterable<string>) => [...model].sort();
const isBelow = (entry: string, others: Set<string>) => {
  const steps = JSON.parse(entry) as string[];
  return steps.some((_step, index) => others.has(JSON.stringify(steps.slice(0, index + 1))));
};

/** Whether a field belongs to a set. */
function hasField(set: FieldSet, path: FieldPathElements): boolean {
  let place: FieldSet | undefined = set;
  for (const element of path) {
    place = place[element];
    if (place === undefined) return false;
  }
  return path.length > 0 && isMember(place);
}

test('set operations answer what sets of written-out paths answer', (t) => {
  const property = fc.property(paths, paths, (left, right) => {
    const [a, b] = [setOf(...left), setOf(...right)];
    const [modelA, modelB] = [modelOf(left), modelOf(right)];
    const same = (set: FieldSet, model: Iterable<string>) => {
      if (JSON.stringify(sorted(modelOfSet(set))) !== JSON.stringify(sorted(model)))
        throw new Error(`${sorted(modelOfSet(set))} instead of ${sorted(model)}`);
      if (!equalSets(set, setOf(...[...model].map((entry) => JSON.parse(entry) as string[]))))
        throw new Error('the set is not in its normal form');
    };
    same(a, modelA);
    same(
      union(a, b),
      [...modelA, ...modelB].filter((entry, index, all) => all.indexOf(entry) === index),
    );
    same(
      intersection(a, b),
      [...modelA].filter((entry) => modelB.has(entry)),
    );
    same(
      difference(a, b),
      [...modelA].filter((entry) => !modelB.has(entry)),
    );
    same(
      recursiveDifference(a, b),
      [...modelA].filter((entry) => !isBelow(entry, modelB)),
    );
    same(
      recursiveIntersection(a, b),
      [...modelA].filter((entry) => isBelow(entry, modelB)),
    );
    same(
      leavesOf(a),
      [...modelA].filter((entry) => ![...modelA].some((other) => other !== entry && isBelow(other, new Set([entry])))),
    );
    return (
      left.every((entry) => hasField(a, entry)) &&
      right.every((entry) => hasField(a, entry) === modelA.has(JSON.stringify(entry))) &&
      isEmptySet(a) === (modelA.size === 0) &&
      equalSets(a, b) === (JSON.stringify(sorted(modelA)) === JSON.stringify(sorted(modelB)))
    );
  });
  checkProperty(t, property, 2000);
});

test('set operations leave their inputs alone', (t) => {
  const property = fc.property(paths, paths, (left, right) => {
    const [a, b] = [setOf(...left), setOf(...right)];
    const before = JSON.stringify([a, b]);
    for (const operation of [union, intersection, difference, recursiveDifference, recursiveIntersection]) operation(a, b);
    leavesOf(a);
    sortedFields(a);
    return JSON.stringify([a, b]) === before;
  });
  checkProperty(t, property);
});

test('a set is read back from its JSON as it was [A-META-21]', (t) => {
  const property = fc.property(paths, (list) => {
    const set = sortedFields(setOf(...list));
    const read = readFields(JSON.parse(JSON.stringify(set)));
    return equalSets(read, set) && JSON.stringify(read) === JSON.stringify(set);
  });
  checkProperty(t, property, 1000);
});

test('elements that come from outside get their normal form, unknown kinds are dropped', (t) => {
  const fields = {
    'v:1.0': {},
    'f:list': {'k:{"protocol":"TCP", "port":80}': {'.': {}, 'f:name': {}}, 'i:007': {}, '.': {}},
    'x:later': {'f:a': {}},
    'f:self': {'.': {}},
    'f:ignored': {'z:kind': {}},
  };
  t.deepEqual(readFields(fields) as object, {
    'f:ignored': {},
    'f:list': {'.': {}, 'i:7': {}, 'k:{"port":80,"protocol":"TCP"}': {'.': {}, 'f:name': {}}},
    'f:self': {},
    'v:1': {},
  });
  t.deepEqual(readFields(undefined) as object, {});
  t.deepEqual(readFields({'v:12345678901234567890': {}}) as object, {'v:12345678901234567890': {}});
});

test('a set that cannot be read is refused with what is wrong with it', (t) => {
  const refused = (fields: unknown, message: RegExp) => t.throws(() => readFields(fields), {instanceOf: InvalidFields, message});
  refused({a: {}}, /at least 2|2 characters/);
  refused({name: {}}, /missing colon: name/);
  refused(JSON.parse('{"__proto__":{}}'), /missing colon: __proto__/);
  refused({'k:[]': {}}, /not an object/);
  refused({'k:{': {}}, /not JSON/);
  refused({'v:': {}}, /not JSON/);
  refused({'i:one': {}}, /not a number/);
  refused({'f:a': null}, /f:a must be an object/);
  refused({'f:a': {'f:b': []}}, /f:b must be an object/);
  refused([], /must be an object/);
});

test('paths are written as Kubernetes writes them', (t) => {
  const container = keyElement([['name', 'nginx']]);
  t.is(
    pathText(['f:spec', 'f:template', 'f:spec', 'f:containers', container, 'f:image']),
    '.spec.template.spec.containers[name="nginx"].image',
  );
  t.is(
    pathText([
      'f:ports',
      keyElement([
        ['containerPort', 80],
        ['protocol', 'TCP'],
      ]),
    ]),
    '.ports[containerPort=80,protocol="TCP"]',
  );
  t.is(pathText(['f:finalizers', valueElement('example.com/a')]), '.finalizers[="example.com/a"]');
  t.is(pathText(['f:list', 'i:3']), '.list[3]');
  t.is(pathText([]), '');
});

test('elements are written in the order of their texts, the place itself first', (t) => {
  const set = setOf(['v:"b"'], ['f:b', 'f:z'], ['f:b'], ['k:{"a":1}'], ['f:b', 'f:a'], ['f:a']);
  t.is(JSON.stringify(sortedFields(set)), '{"f:a":{},"f:b":{".":{},"f:a":{},"f:z":{}},"k:{\\"a\\":1}":{},"v:\\"b\\"":{}}');
});
