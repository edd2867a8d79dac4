import fc from 'fast-check';
import test from 'ava';
import {joinParts, slicesOf} from '../../../../core/http/response/response-buffers.js';

const size = 1024;

/** Buffers with the given lengths, each byte another than its neighbours. */
function partsOf(lengths: readonly number[]): Buffer[] {
  let next = 0;
  return lengths.map((length) => Buffer.from(Array.from({length}, () => (next = (next + 7) % 251))));
}

test('slices are the parts in their order, none too large, and no more than there must be', (t) => {
  fc.assert(
    fc.property(fc.array(fc.integer({min: 0, max: 3 * size}), {maxLength: 12}), (lengths) => {
      const parts = partsOf(lengths);
      const taken: Buffer[] = [];
      for (const {bytes, release} of slicesOf(parts, size)) {
        taken.push(Buffer.from(bytes));
        release();
      }
      t.true(Buffer.concat(taken).equals(Buffer.concat(parts)));
      t.true(taken.every(({length}) => length > 0 && length <= size));
      t.true(taken.slice(0, -2).every(({length}, index) => length + taken[index + 1]!.length >= size / 2));
    }),
  );
  t.pass();
});

test('memory that was not released is not used again', (t) => {
  const parts = partsOf([100_000]);
  const first = joinParts(parts, 100_000);
  const second = joinParts([Buffer.alloc(100_000, 1)], 100_000);
  t.true(first.bytes.equals(parts[0]!));
  second.release();
  second.release();
  const third = joinParts(parts, 100_000);
  const fourth = joinParts([Buffer.alloc(100_000, 2)], 100_000);
  t.true(third.bytes.equals(parts[0]!));
  t.true(first.bytes.equals(parts[0]!));
  t.is(fourth.bytes[0], 2);
});
