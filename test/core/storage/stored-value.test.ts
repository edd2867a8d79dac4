import test from 'ava';
import fc from 'fast-check';
import {StoreError, type ApiObject} from '../../../sdk/index.js';
import {
  encodeStoredValue,
  labelsOfText,
  readStoredHeader,
  textOfStoredValue,
  withVersion,
} from '../../../core/storage/cache/stored-value.js';

function textAt(object: ApiObject, revision: number): Buffer {
  const value = encodeStoredValue(object, 1_700_000_000_123);
  return textOfStoredValue(value, readStoredHeader(value, 'a/b'), revision);
}

test('a stored value becomes the JSON of the object with the revision as resource version', (t) => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'b', resourceVersion: 'old', namespace: 'a'},
    data: {ü: '€ "quoted"'},
  };
  const text = textAt(object, 42);
  t.is(
    text.toString(),
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"resourceVersion":"42","name":"b","namespace":"a"},"data":{"ü":"€ \\"quoted\\""}}',
  );
  t.is(object.metadata.resourceVersion, 'old', 'the object itself is left alone');
});

test('the time of the write is kept to the millisecond', (t) => {
  t.is(readStoredHeader(encodeStoredValue({metadata: {}}, 1_700_000_000_123), 'k').writtenAt, 1_700_000_000_123);
});

test('members that are numbers, prototypes or missing do not move the version', (t) => {
  const odd = JSON.parse('{"7":1,"__proto__":{"a":1},"metadata":{"3":"x","__proto__":"y"}}') as ApiObject;
  const parsed = JSON.parse(textAt(odd, 5).toString()) as Record<string, unknown>;
  t.deepEqual(Object.keys(parsed).sort(), ['7', '__proto__', 'metadata']);
  t.is((parsed.metadata as {resourceVersion: string}).resourceVersion, '5');
  t.is(textAt({metadata: {}}, 1).toString(), '{"metadata":{"resourceVersion":"1"}}');
});

test('integers beyond 2^53 are stored as they are', (t) => {
  t.true(
    textAt({metadata: {}, spec: {n: 9007199254740993n}} as unknown as ApiObject, 1)
      .toString()
      .endsWith('"spec":{"n":9007199254740993}}'),
  );
});

test('the version of a text is replaced by one of another length', (t) => {
  const value = encodeStoredValue({kind: 'Ä', metadata: {name: 'n'}}, 0);
  const header = readStoredHeader(value, 'n');
  const text = textOfStoredValue(value, header, 99);
  t.is(withVersion(text, header.versionOffset, 99, 1000).toString(), '{"kind":"Ä","metadata":{"resourceVersion":"1000","name":"n"}}');
});

test('any object survives', (t) => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.string()),
      fc.integer({min: 1, max: 2 ** 50}),
      (members, metadata, revision) => {
        const object = {...members, metadata} as unknown as ApiObject;
        const parsed = JSON.parse(textAt(object, revision).toString()) as ApiObject;
        t.deepEqual(
          parsed,
          JSON.parse(JSON.stringify({...object, metadata: {...metadata, resourceVersion: String(revision)}})) as ApiObject,
        );
      },
    ),
    {seed: 20240601},
  );
});

test('a value that stays in the process has room for its version, and is itself the text', (t) => {
  const object = {apiVersion: 'v1', kind: 'Thing', metadata: {name: 'n'}, data: {ü: '€'}};
  const value = encodeStoredValue(object, 1_700_000_000_123, 7, 2);
  const header = readStoredHeader(value, 'n');
  t.like(header, {writtenAt: 1_700_000_000_123, schemaMark: 7});
  const text = textOfStoredValue(value, header, 42);
  t.is(text.toString(), textAt(object, 42).toString());
  t.is(text.buffer, value.buffer);
  t.is(textOfStoredValue(value, readStoredHeader(value, 'n'), 42).buffer, value.buffer, 'whoever reads it again shares it too');
  t.is(withVersion(text, header.versionOffset, 42, 1000).toString(), textAt(object, 1000).toString());
});

test('a value that is stored once more under another version leaves the text of the first alone', (t) => {
  const object = {kind: 'Thing', metadata: {name: 'n'}};
  const value = encodeStoredValue(object, 0, 0, 2);
  const header = readStoredHeader(value, 'n');
  const first = textOfStoredValue(value, header, 42);
  for (const other of [43, 7, 100])
    t.is(textOfStoredValue(value, readStoredHeader(value, 'n'), other).toString(), textAt(object, other).toString());
  t.is(first.toString(), textAt(object, 42).toString());
  const longer = encodeStoredValue(object, 0, 0, 2);
  t.is(
    textOfStoredValue(longer, readStoredHeader(longer, 'n'), 100).toString(),
    textAt(object, 100).toString(),
    'a version that has no room',
  );
});

test('the mark of the schema is kept; records of the format before are read as unmarked', (t) => {
  const object = {apiVersion: 'v1', kind: 'Thing', metadata: {name: 'n'}};
  const value = encodeStoredValue(object, 5, 2 ** 48 - 1);
  t.is(readStoredHeader(value, 'n').schemaMark, 2 ** 48 - 1);
  const older = Buffer.concat([value.subarray(0, 11), value.subarray(17)]);
  older[0] = 1;
  const header = readStoredHeader(older, 'n');
  t.is(header.schemaMark, 0);
  t.is(header.writtenAt, 5);
  t.is(textOfStoredValue(older, header, 7).toString(), textOfStoredValue(value, readStoredHeader(value, 'n'), 7).toString());
});

test('bytes of another layout are refused as corrupt', (t) => {
  const good = encodeStoredValue({metadata: {}}, 0);
  const otherFormat = Buffer.from(good);
  otherFormat[0] = 4;
  const misplaced = Buffer.from(good);
  misplaced.writeUInt32BE(3, 7);
  const outside = Buffer.from(good);
  outside.writeUInt32BE(0xffffffff, 7);
  for (const bytes of [Buffer.alloc(0), Buffer.from('{"metadata":{}}'), otherFormat, misplaced, outside]) {
    const error = t.throws(() => readStoredHeader(bytes, 'a/b'));
    t.true(StoreError.is(error) && error.code === 'Corrupt');
    t.is(error!.message, 'the record "a/b" is not a stored object');
  }
});

function labelsAt(object: ApiObject): ReturnType<typeof labelsOfText> {
  const value = encodeStoredValue(object, 0);
  const header = readStoredHeader(value, 'k');
  return labelsOfText(textOfStoredValue(value, header, 42), header.versionOffset);
}

test('labels are read without the rest of the object', (t) => {
  const decoy = {text: 'x"labels":{"a":"wrong"}\\', deep: [{labels: {a: 'wrong'}}, ',"labels":{}']} as unknown as Record<string, string>;
  t.deepEqual(labelsAt({kind: 'A', metadata: {annotations: decoy, name: 'n', labels: {a: 'b', 'x.y/z': ''}, uid: 'u'}, labels: {}}), {
    a: 'b',
    'x.y/z': '',
  });
  t.is(labelsAt({metadata: {annotations: decoy, name: 'n'}}), null);
  t.is(labelsAt({metadata: {}}), null);
  t.deepEqual(labelsAt({metadata: {labels: {}}}), {});
  t.is(labelsAt({metadata: {labels: {a: '"'}}}), undefined, 'what is escaped is left to the parser');
  t.is(labelsOfText(Buffer.from('{"metadata":{"resourceVersion":"1","labels":{"a":"b'), 32), undefined, 'and so is what ends too soon');
  t.is(labelsOfText(Buffer.from('{"metadata":{"name":"n","resourceVersion":"1"}}'), 43), undefined, 'or is in another order');
});

test('labels read so are those of the object', (t) => {
  const metadata = fc.record({a: fc.jsonValue(), labels: fc.dictionary(fc.string(), fc.string()), z: fc.jsonValue()}, {requiredKeys: []});
  fc.assert(
    fc.property(metadata, fc.jsonValue(), (found, spec) => {
      const object = {metadata: found, spec} as unknown as ApiObject;
      const labels = labelsAt(object);
      if (labels !== undefined) t.deepEqual(labels, (JSON.parse(JSON.stringify(object)) as ApiObject).metadata.labels ?? null);
    }),
  );
});
