import {LogRecorder} from './log-recorder.js';
import type {StoreTests} from './store-harness.js';

/** Values are bytes: every byte, none at all, and up to 3 MiB of them. */
export function valuesConformance({test}: StoreTests): void {
  const values = new Map<string, Buffer>([
    ['every byte', Buffer.from(Array.from({length: 256}, (_, index) => index))],
    ['no byte', Buffer.alloc(0)],
    ['a zero', Buffer.from([0])],
    ['invalid utf-8', Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x00, 0x80])],
    ['line ends', Buffer.from('\r\n\r\n$-1\r\n*0\r\n')],
    ['2 KiB', pattern(2048)],
    ['64 KiB', pattern(65_537)],
    ['3 MiB', pattern(3 * 1024 * 1024)],
  ]);

  for (const [title, value] of values) {
    test(`a value is kept byte for byte in the state, the log and the error: ${title}`, async (t, harness) => {
      const store = await harness.open();
      const shard = store.shardOf('blobs');
      const recorder = new LogRecorder();
      await store.follow(shard, 0, recorder);
      const first = await store.commit({type: 'blobs', key: 'one', expected: 0, value});
      const same = (found: Buffer | null | undefined) => Buffer.isBuffer(found) && found.equals(value);
      t.true(same((await store.read('blobs', 'one'))?.value));
      t.true(same([...(await store.list('blobs')).records][0]?.value));
      const exists = await t.throwsAsync<Error & {current?: {value: Buffer}}>(
        store.commit({type: 'blobs', key: 'one', expected: 0, value: Buffer.from('other')}),
      );
      t.true(same(exists?.current?.value));

      const reversed = Buffer.from(value).reverse();
      const second = await store.commit({type: 'blobs', key: 'one', expected: first, value: reversed});
      const third = await store.commit({type: 'blobs', key: 'one', expected: second, value: null});
      await recorder.reached(third);
      for (const entries of [recorder.entries, (await store.history('blobs')).entries]) {
        t.deepEqual(
          entries.map((entry) => entry.revision),
          [first, second, third],
        );
        t.true(same(entries[0]?.value));
        t.true(same(entries[1]?.previous?.value));
        t.true(entries[1]?.value?.equals(reversed));
        t.true(entries[2]?.previous?.value?.equals(reversed));
        t.is(entries[2]?.value, null);
      }
    });
  }

  test('values are kept byte for byte across a restart', async (t, harness) => {
    if (!harness.durable) return;
    let store = await harness.open();
    const revisions = new Map<string, number>();
    for (const [key, value] of values) {
      const first = await store.commit({type: 'blobs', key, expected: 0, value: Buffer.from(value).reverse()});
      revisions.set(key, await store.commit({type: 'blobs', key, expected: first, value}));
    }
    await store.close();
    store = await harness.open();
    const {entries} = await store.history('blobs');
    t.is([...(await store.list('blobs')).records].length, values.size);
    for (const [key, value] of values) {
      const record = await store.read('blobs', key);
      t.is(record?.revision, revisions.get(key));
      t.true(record?.value.equals(value), key);
      const entry = entries.find((found) => found.revision === record?.revision);
      t.true(entry?.value?.equals(value), key);
      t.true(entry?.previous?.value?.equals(Buffer.from(value).reverse()), key);
    }
  });

  test('many large values written together are all kept', async (t, harness) => {
    const store = await harness.open();
    const large = Array.from({length: 12}, (_, index) => pattern(1024 * 1024 + index));
    await Promise.all(large.map((value, index) => store.commit({type: 'blobs', key: `k${index}`, expected: 0, value})));
    const found = new Map([...(await store.list('blobs')).records].map((record) => [record.key, record.value]));
    for (const [index, value] of large.entries()) t.true(found.get(`k${index}`)?.equals(value));
  });

  test('bytes that were answered stay as they are when the store goes on', async (t, harness) => {
    const store = await harness.open();
    const revision = await store.commit({type: 'blobs', key: 'one', expected: 0, value: Buffer.from('first')});
    const read = await store.read('blobs', 'one');
    const listed = [...(await store.list('blobs')).records][0];
    let expected = revision;
    for (let round = 0; round < 50; round++) {
      expected = await store.commit({type: 'blobs', key: 'one', expected, value: Buffer.from(`other ${round}`)});
      await store.read('blobs', 'one');
      await store.list('blobs');
    }
    t.is(read?.value.toString(), 'first');
    t.is(listed?.value.toString(), 'first');
  });
}

/** Bytes without a short period, the same each time. */
function pattern(length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let state = length;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    buffer[index] = state >>> 16;
  }
  return buffer;
}
