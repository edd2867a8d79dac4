import test from 'ava';
import {ResponseReader, type ReadResponse} from './response-reader.js';

const two =
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello' +
  'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n' +
  'HTTP/1.1 204 No Content\r\n\r\n';

function read(parts: readonly string[], bodiless = false): (readonly [number, string])[] {
  const found: ReadResponse[] = [];
  const reader = new ResponseReader({keepBodies: true, onResponse: (response) => found.push(response), isBodiless: () => bodiless});
  for (const part of parts) reader.take(Buffer.from(part, 'latin1'));
  reader.end();
  return found.map(({status, body}) => [status, body.toString()]);
}

const answers: (readonly [number, string])[] = [
  [200, 'hello'],
  [404, 'abcde'],
  [204, ''],
];

test('answers are cut apart by lengths and chunks, whole or byte by byte', (t) => {
  t.deepEqual(read([two]), answers);
  t.deepEqual(read([...two]), answers);
});

test('interim answers are passed over, and answers to HEAD have no body', (t) => {
  t.deepEqual(read(['HTTP/1.1 100 Continue\r\n\r\n', two]), answers);
  t.deepEqual(read(['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n'], true), [
    [200, ''],
    [404, ''],
  ]);
});

test('an answer without a length ends with the connection', (t) => {
  t.deepEqual(read(['HTTP/1.0 200 OK\r\n\r\nto the', ' end']), [[200, 'to the end']]);
});

test('what is no answer of HTTP/1.1 is told', (t) => {
  t.throws(() => read(['ok\n']), {message: /not an answer of HTTP\/1\.1/});
  t.throws(() => read(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n']), {message: /size of a chunk/});
});
