import test from 'ava';
import {FollowedTypes} from '../../../../plugins/controllers/garbage-collector/followed-types.js';
import type {CacheFollower, ObjectCache, ResourceClient, ServedResource} from '../../../../sdk/index.js';

const served = (resource: string): ServedResource => ({
  group: 'example.com',
  version: 'v1',
  resource,
  kind: resource,
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'delete'],
});

test('who waits for all objects does not wait for types that come afterwards, so that types that come one after the other hold up nothing', async (t) => {
  const types = [served('a')];
  const followers = new Map<string, CacheFollower>();
  let change: () => void = () => undefined;
  const cache = {
    onTypesChanged: (call: () => void) => {
      change = call;
      return () => undefined;
    },
    follow: ({resource}: {resource: string}, follower: CacheFollower) => void followers.set(resource, follower),
  } as unknown as ObjectCache;
  const nothing = {
    changed: () => undefined,
    deleted: () => undefined,
    listed: () => undefined,
    reset: () => undefined,
    ended: () => undefined,
  };
  const looked: (() => void)[] = [];
  const followed = new FollowedTypes(
    {resources: () => types} as unknown as ResourceClient,
    cache,
    () => nothing,
    () => looked.shift()?.(),
  );
  t.teardown(() => followed.stop());
  const come = async (resource: string) => {
    types.push(served(resource));
    const isLooked = new Promise<void>((resolve) => looked.push(resolve));
    change();
    // The timer that settles changes of types keeps no process alive.
    const hold = setInterval(() => undefined, 1000);
    await isLooked;
    clearInterval(hold);
  };
  const order: string[] = [];
  const wait = (name: string) => followed.whenListed().then(() => order.push(name));
  followed.start();
  const first = wait('first');
  await come('b');
  const second = wait('second');
  followers.get('a')!.listed();
  await first;
  t.deepEqual(order, ['first'], 'a type that came later has not been listed');
  await come('c');
  followers.get('a')!.reset([]);
  const third = wait('third');
  followers.get('b')!.listed();
  await second;
  followers.get('c')!.ended([]);
  t.deepEqual(order, ['first', 'second'], 'one that is told anew is waited for');
  followers.get('a')!.listed();
  await third;
  await followed.whenListed();
});
