import test from 'ava';
import {uniteOwnerReferences} from '../../../../core/registry/write/owner-references.js';
import type {ApiObject, OwnerReference} from '../../../../sdk/index.js';
import {context, widget} from '../registry-fixture.js';

const owner = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `uid of ${name}`,
  ...more,
});

function united(ownerReferences: OwnerReference[]): {object: ApiObject; warnings: string[]} {
  const object = widget('one', {metadata: {name: 'one', ownerReferences}});
  const warnings: string[] = [];
  uniteOwnerReferences(object, context({warnings}));
  return {object, warnings};
}

test('references that say the same become one, whatever the order of their members', (t) => {
  const {uid, name, kind, apiVersion} = owner('a');
  const {object, warnings} = united([owner('a'), owner('b'), {uid, name, kind, apiVersion}]);
  t.deepEqual(object.metadata.ownerReferences, [owner('a'), owner('b')]);
  t.is(warnings.length, 1);
  t.regex(warnings[0]!, /observed: uid of a$/);
});

test('references that differ in anything stay, and nothing is said', (t) => {
  const references = [owner('a'), owner('a', {controller: true}), owner('a', {controller: false}), owner('a', {blockOwnerDeletion: true})];
  const {object, warnings} = united(references);
  t.deepEqual(object.metadata.ownerReferences, references);
  t.deepEqual(warnings, []);
});

test('the warning has an end, and the work does not grow with the square of the references', (t) => {
  const many = Array.from({length: 50_000}, (_, index) => owner(String(index), {uid: 'same'}));
  const before = performance.now();
  const {object, warnings} = united([
    ...many,
    ...Array.from({length: 100}, (_, index) => owner(`x-${index}`)),
    ...Array.from({length: 100}, (_, index) => owner(`x-${index}`)),
  ]);
  t.is(object.metadata.ownerReferences?.length, 50_100);
  t.regex(warnings[0]!, / and 90 more$/);
  t.true(performance.now() - before < 5000);
});
