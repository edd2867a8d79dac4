import {memoryUsage} from 'node:process';
import test from 'ava';
import {BufferPieces} from '../../../sdk/values/buffer-pieces.js';

test('buffers of one piece have places of their own, and larger ones memory of their own', (t) => {
  const pieces = new BufferPieces(64);
  const texts = Array.from({length: 30}, (_, index) => String(index).repeat(1 + (index % 8)));
  const buffers = texts.map((text) => {
    const buffer = pieces.take(text.length);
    buffer.write(text, 'latin1');
    return buffer;
  });
  t.deepEqual(
    buffers.map((buffer) => buffer.toString('latin1')),
    texts,
  );
  t.is(buffers[0]!.buffer, buffers[1]!.buffer);
  t.not(pieces.take(17).buffer, buffers.at(-1)!.buffer);
});

test('pieces do not count for when the collector looks through all objects', (t) => {
  const megabyte = 1024 * 1024;
  const before = memoryUsage().external;
  const pieces = new BufferPieces(megabyte);
  const buffers = Array.from({length: 64}, () => pieces.take(megabyte / 4));
  t.true(memoryUsage().external - before < megabyte);
  t.is(buffers.length, 64);
});
