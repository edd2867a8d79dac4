import test from 'ava';
import type {ApiObject} from '../../sdk/index.js';
import {objectFaults} from './soak-faults.js';
import {fateOf, orphan, rest, type SoakKind, type SoakObject, type SoakPlace} from './soak-model.js';

const definition: SoakPlace = {path: '/definition', deleted: true, orphanedSets: new Set()};

function made(name: string, more: Partial<SoakObject> = {}): SoakObject {
  const kind: SoakKind = {apiVersion: 'v1', kind: 'ConfigMap', collection: '/maps', places: [], more: () => ({})};
  const state = {owners: [], places: [], deleted: false, stray: false, held: false, undecided: false, history: []};
  return {path: `/maps/${name}`, kind, uid: name, ...state, ...more};
}

test.serial('an owner may wait for a dependent that another owner, of a kind that is no longer served, lets nobody collect', (t) => {
  const owner = made('w0-1', {deleted: true});
  const above = made('w0-2', {deleted: true});
  const thing = made('w0-3', {places: [definition]});
  const dependent = made('w0-4', {owners: [owner, thing]});
  const references = (blockOwnerDeletion: boolean) => [
    {apiVersion: 'v1', kind: 'ConfigMap', name: 'w0-1', uid: 'w0-1', blockOwnerDeletion},
    {apiVersion: 'example.com/v1', kind: 'Thing', name: 'w0-3', uid: 'w0-3'},
  ];
  const faults = (blocks: boolean) => {
    const waiting = {deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion']};
    const ownerReferences = [{apiVersion: 'v1', kind: 'ConfigMap', name: 'w0-2', uid: 'w0-2', blockOwnerDeletion: true}];
    const found = new Map<string, ApiObject>([
      [owner.path, {metadata: {name: 'w0-1', uid: 'w0-1', ownerReferences, ...waiting}}],
      [above.path, {metadata: {name: 'w0-2', uid: 'w0-2', ...waiting}}],
      [dependent.path, {metadata: {name: 'w0-4', uid: 'w0-4', ownerReferences: references(blocks)}}],
    ]);
    return objectFaults([{objects: new Set([dependent]), going: new Set([owner, above, thing])}], found).map(
      (fault) => fault.split(':')[0],
    );
  };
  definition.isForgotten = true;
  t.deepEqual(faults(true), []);
  t.deepEqual(faults(false), ['/maps/w0-1 is still there', '/maps/w0-2 is still there'], 'it does not wait for this one');
  definition.isForgotten = false;
  t.true(faults(true).includes('/maps/w0-1 is still there'), 'who knew the other owner collects it');
});

test.serial('an object that names an owner of a kind that is no longer served may go on naming owners that are gone', (t) => {
  const gone = made('w0-1', {deleted: true});
  const thing = made('w0-3', {places: [definition]});
  const dependent = made('w0-4', {owners: [gone, thing]});
  const faults = (kind: string) => {
    const ownerReferences = [
      {apiVersion: 'v1', kind: 'ConfigMap', name: 'w0-1', uid: 'w0-1'},
      {apiVersion: 'v1', kind, name: 'w0-3', uid: 'w0-3'},
    ];
    const found = new Map<string, ApiObject>([[dependent.path, {metadata: {name: 'w0-4', uid: 'w0-4', ownerReferences}}]]);
    return objectFaults([{objects: new Set([dependent]), going: new Set([gone, thing])}], found).map((fault) => fault.split(':')[0]);
  };
  definition.isForgotten = true;
  t.deepEqual(faults('Thing'), []);
  t.deepEqual(faults('Secret'), ['/maps/w0-4 has owners that are not there'], 'whoever knows all kinds takes these away');
});

test.serial('an object that goes, and waits for what nobody can collect, may go on naming owners that did not wait for it', (t) => {
  const gone = made('w0-1', {deleted: true});
  const thing = made('w0-2', {places: [definition]});
  const waiting = made('w0-3', {owners: [gone], undecided: true});
  const dependent = made('w0-4', {owners: [waiting, thing]});
  const faults = (blockOwnerDeletion: boolean) => {
    const reference = {apiVersion: 'v1', kind: 'ConfigMap'};
    const isGoing = {deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion']};
    const below = [
      {...reference, name: 'w0-3', uid: 'w0-3', blockOwnerDeletion},
      {apiVersion: 'example.com/v1', kind: 'Thing', name: 'w0-2', uid: 'w0-2'},
    ];
    const found = new Map<string, ApiObject>([
      [waiting.path, {metadata: {name: 'w0-3', uid: 'w0-3', ownerReferences: [{...reference, name: 'w0-1', uid: 'w0-1'}], ...isGoing}}],
      [dependent.path, {metadata: {name: 'w0-4', uid: 'w0-4', ownerReferences: below}}],
    ]);
    return objectFaults([{objects: new Set([waiting, dependent]), going: new Set([gone, thing])}], found).map((fault) =>
      fault.replace(/(going|deleted|there).*/s, '$1'),
    );
  };
  definition.isForgotten = true;
  t.deepEqual(faults(true), []);
  t.deepEqual(faults(false), ['/maps/w0-3 is being deleted', '/maps/w0-3 has owners that are not there'], 'it waits for nothing');
});

test('an object may live that one owner left behind before its other owner went: while the first is still there the garbage collector takes the reference to the other away', (t) => {
  const leaving = made('w0-1');
  const other = made('w0-2');
  const dependent = made('w0-3', {owners: [leaving, other]});
  leaving.deleted = true;
  orphan(leaving, [dependent]);
  t.is(fateOf(dependent), 'stays');
  other.deleted = true;
  t.is(fateOf(dependent), 'either');
});

test('an object that is being deleted when all rests goes, also when the owner that it was deleted for is gone', (t) => {
  const [owner, waiting, free] = [made('w0-1', {deleted: true}), made('w0-2'), made('w0-3')];
  waiting.owners = [owner];
  free.owners = [owner];
  const objects = new Set([owner, waiting, free]);
  rest(
    objects,
    new Map<string, ApiObject>([
      [waiting.path, {metadata: {name: 'w0-2', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion']}}],
      [free.path, {metadata: {name: 'w0-3'}}],
    ]),
  );
  t.deepEqual([...objects].map(fateOf), ['goes', 'stays']);
});
