import test from 'ava';
import {ChunkedBody} from './chunked-body.js';

const frames = '5\r\nab"cd\r\n1a\r\n{"bench-seq":"00000017"}\r\n\r\nb\r\nthe rest "1\r\n0\r\n\r\n';
const text = 'ab"cd{"bench-seq":"00000017"}\r\nthe rest "1';

test('the body is the same wherever what arrives is cut', (t) => {
  for (let size = 1; size <= frames.length; size += 1) {
    const body = new ChunkedBody();
    let found = '';
    for (let from = 0; from < frames.length; from += size) found += body.take(Buffer.from(frames.slice(from, from + size))).toString();
    t.is(found, text, `pieces of ${size}`);
  }
});
