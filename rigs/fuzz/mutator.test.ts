import test from 'ava';
import {Random} from '../../test/helpers/random.js';
import {readCorpus} from './corpus-entry.js';
import {fromText, toText, wireBytes, type FuzzRequest} from './fuzz-request.js';
import {Mutator} from './mutate/mutator.js';

const learned = {names: ['one'], versions: ['7'], uids: ['00000000-0000-0000-0000-000000000000'], tokens: ['AAAA']};
const corpus = readCorpus('1.26');

function requests(seed: number, count: number): FuzzRequest[] {
  const random = new Random(seed);
  const mutator = new Mutator(corpus);
  return Array.from({length: count}, () => mutator.next(random, learned, 'home'));
}

test('the recorded requests are of every kind that clients send', (t) => {
  t.true(corpus.length > 500);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    t.true(
      corpus.some((request) => request.method === method),
      method,
    );
  for (const type of [
    'json',
    'yaml',
    'vnd.kubernetes.protobuf',
    'json-patch+json',
    'merge-patch+json',
    'strategic-merge-patch+json',
    'apply-patch+yaml',
  ])
    t.true(
      corpus.some(({headers}) => headers['content-type']?.endsWith(type)),
      type,
    );
  t.true(corpus.some(({headers}) => headers['upgrade'] === 'websocket'));
  t.true(corpus.some(({path}) => /watch=(1|true)/.test(path)));
});

test('a seed always makes the same requests', (t) => {
  t.deepEqual(requests(5, 300), requests(5, 300));
  t.notDeepEqual(requests(5, 20), requests(6, 20));
});

test('what is made is HTTP unless it is raw: no blank in a path, no line end in a header', (t) => {
  for (const {method, path, headers, manner} of requests(9, 3000)) {
    if (manner === 'raw') continue;
    t.regex(`${method} ${path}`, /^[A-Z]+ \/[\x21-\x7e]*$/);
    for (const [name, value] of headers) t.regex(`${name}: ${value}`, /^[\w-]+(?:%2f[\w-]*)?: [\x20-\x7e\x80-\xff]*$/);
  }
});

test('requests in files are the requests that were sent, byte by byte', (t) => {
  for (const request of requests(13, 500)) {
    const again = fromText(JSON.parse(JSON.stringify(toText(request))) as ReturnType<typeof toText>);
    t.deepEqual(wireBytes(again), wireBytes(request));
  }
});
