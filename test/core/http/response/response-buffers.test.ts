import fc from 'fast-check';
import test from 'ava';
import {buffersOf, joinParts, partsOf, slicesOf} from '../../../../core/http/response/response-buffers.js';

const size = 1024;

/** Buffers with the given lengths, each byte another than its neighbours. */
function buffersWith(lengths: readonly number[]): Buffer[] {
  let next = 0;
  return lengths.map((length) => Buffer.from(Array.from({length}, () => (next = (next + 7) % 251))));
}

/** A body whose members have the given lengths, without what is left out of them. */
const bodies = fc
  .record({
    lengths: fc.array(fc.integer({min: 0, max: 3 * size}), {maxLength: 12}),
    around: fc.tuple(fc.integer({min: 0, max: 2 * size}), fc.integer({min: 0, max: 2}), fc.integer({min: 0, max: 2 * size})),
    skip: fc.integer({min: 0, max: 40}),
  })
  .map(({lengths, around, skip}) => {
    const [head, separator, tail, ...members] = buffersWith([...around, ...lengths.map((length) => length + skip)]);
    return {head: head!, separator: separator!, tail: tail!, members, skip};
  });

test('slices are the parts in their order, none too large, and no more than there must be', (t) => {
  fc.assert(
    fc.property(bodies, (parts) => {
      const taken: Buffer[] = [];
      for (const {bytes, release} of slicesOf(parts, size)) {
        taken.push(Buffer.from(bytes));
        release();
      }
      const {head, separator, tail, members, skip} = parts;
      const texts = members.map((member) => member.toString('latin1', skip));
      const all = head.toString('latin1') + texts.join(separator.toString('latin1')) + tail.toString('latin1');
      t.true(Buffer.concat(taken).toString('latin1') === all);
      t.true(Buffer.concat(buffersOf(parts)).toString('latin1') === all);
      t.true(joinParts(parts, all.length).bytes.toString('latin1') === all);
      t.true(taken.every(({length}) => length > 0 && length <= size));
      t.true(taken.slice(0, -2).every(({length}, index) => length + taken[index + 1]!.length >= size / 2));
    }),
  );
  t.pass();
});

test('memory that was not released is not used again', (t) => {
  const [part] = buffersWith([100_000]) as [Buffer];
  const parts = partsOf([part]);
  const first = joinParts(parts, 100_000);
  const second = joinParts(partsOf([Buffer.alloc(100_000, 1)]), 100_000);
  t.true(first.bytes.equals(part));
  second.release();
  second.release();
  const third = joinParts(parts, 100_000);
  const fourth = joinParts(partsOf([Buffer.alloc(100_000, 2)]), 100_000);
  t.true(third.bytes.equals(part));
  t.true(first.bytes.equals(part));
  t.is(fourth.bytes[0], 2);
});
