import test from 'ava';
import {StatusError, type ApiObject, type ResourceClient, type WatchEvent} from '../../../sdk/index.js';
import {followObjects} from '../../../sdk/controllers/follow-objects.js';

const configMaps = {group: '', version: 'v1', resource: 'configmaps'};
const object = (name: string): ApiObject => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, resourceVersion: '1'}});

test('the next object waits until the follower is done with the one before', async (t) => {
  const abort = new AbortController();
  const log: string[] = [];
  let taken = 0;
  const resources = {
    list: async () => ({items: [object('a'), object('b')], metadata: {resourceVersion: '1'}}),
    async *watch(): AsyncGenerator<WatchEvent> {
      for (const name of ['c', 'd', 'e']) {
        taken++;
        yield {type: 'ADDED', object: object(name)};
      }
      abort.abort();
    },
  } as unknown as ResourceClient;
  const follower = {
    listed: async () => {
      log.push('list begins');
      await new Promise((resolve) => setImmediate(resolve));
      log.push('list ends');
    },
    changed: ({metadata}: ApiObject) => {
      log.push(`${metadata.name} begins`);
      if (metadata.name === 'd') return undefined;
      const before = taken;
      return Promise.resolve().then(() => {
        t.is(taken, before, 'nothing is taken from the watch meanwhile');
        log.push(`${metadata.name} ends`);
      });
    },
    deleted: () => t.fail(),
    failed: (error: unknown) => t.fail(String(error)),
  };
  await followObjects(resources, configMaps, follower, abort.signal);
  t.deepEqual(log, [
    'a begins',
    'a ends',
    'b begins',
    'b ends',
    'list begins',
    'list ends',
    'c begins',
    'c ends',
    'd begins',
    'e begins',
    'e ends',
  ]);
});

test('what went while the history was lost is reported as deleted, once, by name, namespace and uid', async (t) => {
  const abort = new AbortController();
  const named = (name: string, uid: string): ApiObject => ({...object(name), metadata: {name, namespace: 'n', uid, resourceVersion: '1'}});
  const lists = [
    [named('kept', '1'), named('gone', '2'), named('deleted', '3')],
    [named('kept', '1'), named('new', '5')],
  ];
  const resources = {
    list: async () => ({items: lists.shift()!, metadata: {resourceVersion: '1'}}),
    async *watch(): AsyncGenerator<WatchEvent> {
      if (lists.length === 0) return abort.abort();
      yield {type: 'ADDED', object: named('late', '4')};
      yield {type: 'DELETED', object: named('deleted', '3')};
      throw new StatusError(410, 'Expired', 'the history is lost');
    },
  } as unknown as ResourceClient;
  const log: string[] = [];
  const follower = {
    listed: (objects: readonly ApiObject[]) => void log.push(`list of ${objects.length}`),
    changed: ({metadata}: ApiObject) => void log.push(metadata.name!),
    deleted: ({metadata}: ApiObject, missed: boolean) => void log.push(`${JSON.stringify(metadata)} ${missed ? 'missed' : 'seen'}`),
    failed: (error: unknown) => t.fail(String(error)),
  };
  await followObjects(resources, configMaps, follower, abort.signal);
  t.deepEqual(log, [
    'kept',
    'gone',
    'deleted',
    'list of 3',
    'late',
    '{"name":"deleted","namespace":"n","uid":"3","resourceVersion":"1"} seen',
    'kept',
    'new',
    '{"name":"gone","namespace":"n","uid":"2"} missed',
    '{"name":"late","namespace":"n","uid":"4"} missed',
    'list of 2',
  ]);
});
