import {randomBytes} from 'node:crypto';
import {crc32, gunzipSync} from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import {GzipJoin, joinCrc32, Packer, shiftCrc32} from '../../../../core/http/response/gzip-join.js';

const bytes = fc.uint8Array({maxLength: 5_000}).map((array) => Buffer.from(array));

test('the checksum of two parts is that of all their bytes', (t) => {
  fc.assert(
    fc.property(bytes, bytes, (first, second) => {
      t.is(joinCrc32(crc32(first), crc32(second), shiftCrc32(second.length)), crc32(Buffer.concat([first, second])));
    }),
  );
});

test('a body of parts that were packed before, in any order, is unpacked to all of them', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({plain: bytes, isPacked: fc.boolean()}), {maxLength: 8}), async (parts) => {
      const join = new GzipJoin();
      const packer = new Packer();
      const sent = [join.begin()];
      for (const {plain, isPacked} of parts) sent.push(isPacked ? join.packed(await packer.pack(plain)) : join.plain(plain));
      packer.close();
      sent.push(join.end());
      const whole = Buffer.concat(parts.map(({plain}) => plain));
      t.deepEqual(gunzipSync(Buffer.concat(sent)), whole);
      t.is(join.length, whole.length);
    }),
  );
});

test('what is packed stands alone, whatever was packed before it, and however long it is', async (t) => {
  const packer = new Packer();
  t.teardown(() => packer.close());
  // The second could refer to the first, and does not fit into what is passed on at once.
  const plain = randomBytes(300_000);
  await packer.pack(plain);
  const packed = await packer.pack(plain);
  const join = new GzipJoin();
  t.deepEqual(gunzipSync(Buffer.concat([join.begin(), join.packed(packed), join.end()])), plain);
});

test('what is not packed may be longer than one block', (t) => {
  const join = new GzipJoin();
  const plain = Buffer.alloc(200_000, 'abcdefg');
  t.deepEqual(gunzipSync(Buffer.concat([join.begin(), join.plain(plain), join.end()])), plain);
});
