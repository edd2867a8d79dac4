import test from 'ava';
import {StorageError} from '../../../../core/storage/storage-error.js';
import {JsonFrameEncoder} from '../../../../core/registry/views/json-frame-encoder.js';
import type {CachedObject} from '../../../../core/storage/cache/cached-object.js';

const type = {apiVersion: 'example.com/v1', kind: 'Widget'};
const bytes = Buffer.from('{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"n":9007199254740993}}');
const object = {bytes} as CachedObject;

test('an event is a line of JSON around the bytes of the object as they are', (t) => {
  const encoder = new JsonFrameEncoder(type);
  for (const change of ['ADDED', 'MODIFIED', 'DELETED'] as const)
    t.is(encoder.encode(change, object).toString(), `{"type":"${change}","object":${bytes.toString()}}\n`);
  const other = new JsonFrameEncoder(type, undefined, () => Buffer.from('{}'));
  t.is(other.encode('ADDED', object).toString(), '{"type":"ADDED","object":{}}\n');
});

test('a bookmark names its version, and the one behind the initial events says so in the words of the naming profile', (t) => {
  const encoder = new JsonFrameEncoder(type, 'k8s.io/initial-events-end');
  const read = (text: Buffer) => JSON.parse(text.toString()) as unknown;
  t.deepEqual(read(encoder.bookmark(7, false)), {type: 'BOOKMARK', object: {...type, metadata: {resourceVersion: '7'}}});
  t.deepEqual(read(encoder.bookmark(8, true)), {
    type: 'BOOKMARK',
    object: {...type, metadata: {resourceVersion: '8', annotations: {'k8s.io/initial-events-end': 'true'}}},
  });
  t.deepEqual(read(new JsonFrameEncoder(type).bookmark(9, true)), {type: 'BOOKMARK', object: {...type, metadata: {resourceVersion: '9'}}});
});

test('an error is an event with a Status', (t) => {
  const frame = new JsonFrameEncoder(type).error(new StorageError({code: 'WatchTooOld', requested: 3, oldest: 5}));
  const {type: event, object: status} = JSON.parse(frame.toString()) as {type: string; object: {code: number; reason: string}};
  t.is(event, 'ERROR');
  t.like(status, {kind: 'Status', code: 410, reason: 'Expired'});
});

test('encoders share frames only when types and annotations are the same', (t) => {
  t.is(new JsonFrameEncoder(type).key, new JsonFrameEncoder({...type}).key);
  t.not(new JsonFrameEncoder(type).key, new JsonFrameEncoder({...type, apiVersion: 'example.com/v2'}).key);
  t.not(new JsonFrameEncoder(type).key, new JsonFrameEncoder(type, 'k8s.io/initial-events-end').key);
});
