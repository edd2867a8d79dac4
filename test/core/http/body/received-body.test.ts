import test from 'ava';
import {ReceivedBody} from '../../../../core/http/body/received-body.js';
import {Random} from '../../../helpers/random.js';

test('a body that comes byte by byte takes as few buffers as it is long', (t) => {
  const body = new ReceivedBody();
  for (let index = 0; index < 100_000; index++) body.add(Buffer.from([index & 0xff]));
  t.is(body.length, 100_000);
  t.true(body.partCount < 10, String(body.partCount));
  const bytes = body.bytes();
  t.is(bytes.length, 100_000);
  t.true(bytes.every((byte, index) => byte === (index & 0xff)));
});

test('parts of any size are put together in their order', (t) => {
  const seed = Number(process.env['ORCH_TEST_SEED'] ?? 4711);
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  for (let round = 0; round < 50; round++) {
    const body = new ReceivedBody();
    const parts = Array.from({length: random.below(30)}, () =>
      Buffer.alloc(random.below(random.pick([3, 5000, 40_000])), random.below(256)),
    );
    for (const part of parts) body.add(Buffer.from(part));
    t.deepEqual(body.bytes(), Buffer.concat(parts));
  }
});
