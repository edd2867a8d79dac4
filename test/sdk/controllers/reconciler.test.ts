import test from 'ava';
import type {ApiObject, NamingProfile} from '../../../sdk/index.js';
import {objectKey, Reconciler, splitObjectKey, type FollowedType} from '../../../sdk/controllers/index.js';
import {eventually} from '../../helpers/eventually.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {MemoryResources} from '../../plugins/memory-resources.js';

const type = (resource: string) => ({group: '', version: 'v1', resource, kind: 'Kind', namespaced: true, verbs: ['list', 'watch']});
const sets: FollowedType = {ref: {group: '', version: 'v1', resource: 'sets'}};
const parts = {group: '', version: 'v1', resource: 'parts'};
const object = (name: string): ApiObject => ({apiVersion: 'v1', kind: 'Kind', metadata: {name, namespace: 'ns'}});
const naming = {group: (name: string) => name} as NamingProfile;

test('keys hold namespace and name, also without a namespace', (t) => {
  t.is(objectKey(object('a')), 'ns/a');
  t.deepEqual(splitObjectKey('ns/a'), ['ns', 'a']);
  t.deepEqual(splitObjectKey(objectKey({metadata: {name: 'a'}})), ['', 'a']);
});

test('keys of objects and of those that concern them are reconciled; a type that is not served is not followed; failures are tried again', async (t) => {
  const resources = new MemoryResources([type('sets'), type('parts')]);
  const {logger, lines} = recordingLogger();
  const seen: string[] = [];
  let fails = 1;
  const reconciler = new Reconciler({
    resources,
    naming,
    logger,
    concurrency: 1,
    types: [sets, {ref: {group: 'other', version: 'v1', resource: 'things'}}],
    reconcile: async (key) => {
      seen.push(key);
      if (key === 'ns/b' && fails-- > 0) throw new Error('not now');
      return {done: true};
    },
  });
  const abort = new AbortController();
  const has = (...keys: readonly string[]) =>
    eventually(
      () => seen.join(),
      (text) => text === keys.join(),
    );
  await resources.create(sets.ref, 'ns', object('a'));
  await reconciler.start(abort.signal);
  await has('ns/a');
  const follow = () =>
    reconciler.follow({ref: parts, changed: ({metadata}) => [`ns/${metadata.name!.split('-')[0]}`], listed: () => ['ns/listed']});
  follow();
  follow();
  await has('ns/a', 'ns/listed');
  await resources.create(parts, 'ns', object('b-0'));
  await has('ns/a', 'ns/listed', 'ns/b', 'ns/b');
  await resources.delete(parts, 'ns', 'b-0');
  await has('ns/a', 'ns/listed', 'ns/b', 'ns/b', 'ns/b');
  t.deepEqual(
    lines.map(({level, fields}) => [level, fields['key']]),
    [['warn', 'ns/b']],
  );
  abort.abort();
  await reconciler.stop();
  reconciler.add('ns/late');
  t.is(seen.length, 5);
});
