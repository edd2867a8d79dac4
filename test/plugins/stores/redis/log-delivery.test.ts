import test from 'ava';
import type {LogEntry} from '@orch-api/orch/sdk';
import {startRedis} from '../../../helpers/redis-server.js';
import {drivers, openFor} from './open-store.js';

const types = ['some', 'unwanted', 'more'];

for (const driver of drivers) {
  test(`${driver}: of changes to many types a follower gets those that it wants, whole and in their order`, async (t) => {
    const server = await startRedis(t);
    const url = `${server.url}?driver=${driver}`;
    const [writer, other] = [await openFor(t, url), await openFor(t, url)];
    const seen: LogEntry[] = [];
    const positions: number[] = [];
    let arrived = (): void => undefined;
    // The store that writes has the values of its own changes already: both must come to the same.
    const follow = async (store: typeof other, entries: LogEntry[]) =>
      store.follow(0, 0, {
        wants: (type) => type !== 'unwanted',
        onEntries(found, upTo) {
          entries.push(...found);
          if (store === other) positions.push(upTo!);
          arrived();
        },
        // The store is closed at the end of the test.
        onEnd: () => undefined,
      });
    const own: LogEntry[] = [];
    await follow(writer, own);
    await follow(other, seen);

    const changes: [type: string, key: string, value: string | null, revision: number][] = [];
    const write = async (index: number): Promise<void> => {
      // Runs of one type, of different lengths, so that some values are asked for in one command and some are not.
      const type = types[Math.floor(Math.sqrt(index)) % 3]!;
      const [key, text] = [`k-${index}-\u00e4`, `value ${index}`];
      const created = await writer.commit({type, key, expected: 0, value: Buffer.from(text)});
      changes.push([type, key, text, created]);
      if (index % 7 !== 0) return;
      changes.push([type, key, null, await writer.commit({type, key, expected: created, value: null})]);
    };
    await Promise.all(Array.from({length: 300}, (_, index) => write(index)));
    const wanted = changes.toSorted((a, b) => a[3] - b[3]).filter(([type]) => type !== 'unwanted');
    while (seen.length < wanted.length || own.length < wanted.length) await new Promise<void>((resolve) => (arrived = resolve));
    const plain = (entries: LogEntry[]) =>
      entries.map(({type, key, value, revision}) => [type, key, value === null ? null : String(value), revision]);
    t.deepEqual(plain(seen), wanted);
    t.deepEqual(plain(own), wanted);
    const deletion = seen.find(({value}) => value === null)!;
    t.is(deletion.previous?.revision, seen.find(({key}) => key === deletion.key)!.revision);
    t.true(Math.abs(deletion.time - Date.now()) < 60_000);
    t.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    );
  });
}

test('the values of a type that is written again and again come with the log, and those of others after it', async (t) => {
  const server = await startRedis(t);
  const admin = server.client();
  const [writer, other] = [await openFor(t, server.url), await openFor(t, server.url)];
  const seen: string[] = [];
  let arrived = (): void => undefined;
  await other.follow(0, 0, {
    wants: (type) => type !== 'unwanted',
    onEntries(entries) {
      for (const {type, value} of entries) seen.push(`${type} ${String(value)}`);
      arrived();
    },
    // The store is closed at the end of the test.
    onEnd: () => undefined,
  });
  const written: string[] = [];
  const write = async (type: string): Promise<void> => {
    const text = `value ${written.length}`;
    await writer.commit({type, key: text, expected: 0, value: Buffer.from(text)});
    if (type !== 'unwanted') written.push(`${type} ${text}`);
    while (seen.length < written.length) await new Promise<void>((resolve) => (arrived = resolve));
  };
  const scripts = async (): Promise<number> => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]);
  const before = await scripts();
  for (let index = 0; index < 40; index++) await write('busy');
  // A script for each commit, and one now and then that checks the history.
  const run = (await scripts()) - before - 40;
  t.true(run < 10, `${run} scripts beside the commits`);
  for (const type of ['other', 'busy', 'unwanted', 'busy', 'busy', 'other', 'other', 'busy']) await write(type);
  t.deepEqual(seen, written);
});
