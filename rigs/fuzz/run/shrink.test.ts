import test from 'ava';
import type {FuzzRequest} from '../fuzz-request.js';
import {shrink} from './shrink.js';

const request = (path: string, body: unknown): FuzzRequest => ({
  method: 'POST',
  path,
  headers: [
    ['accept', 'application/json'],
    ['content-type', 'application/json'],
  ],
  body: Buffer.from(JSON.stringify(body)),
  manner: 'whole',
});

test('all that is not needed for a fault is left out', async (t) => {
  const found = {
    before: Array.from({length: 9}, (_, number) => request(`/before/${number}`, {})),
    request: request('/at?a=1&b=2', {kind: 'X', spec: {list: [1, 2, 3, {bad: true, good: false}], more: 'text'}}),
  };
  const smaller = await shrink(found, async ({before, request: tried}) => {
    const text = tried.body!.toString();
    return before.some(({path}) => path === '/before/4') && tried.path.includes('b=2') && /"bad":true/.test(text);
  });
  t.deepEqual(
    smaller.before.map(({path}) => path),
    ['/before/4'],
  );
  t.is(smaller.request.path, '/at?b=2');
  t.deepEqual(smaller.request.headers, []);
  t.deepEqual(JSON.parse(smaller.request.body!.toString()), {spec: {list: [{bad: true}]}});
});
