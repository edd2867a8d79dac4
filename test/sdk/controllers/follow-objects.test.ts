import test from 'ava';
import type {ApiObject, ResourceClient, WatchEvent} from '../../../sdk/index.js';
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
