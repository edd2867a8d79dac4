import test from 'ava';
import {decoded, typedSchema} from './catalog-fixture.js';

test('empty values count as absent unless the field says otherwise', (t) => {
  const schema = typedSchema({
    text: {type: 'string'},
    count: {type: 'integer', format: 'int32'},
    flag: {type: 'boolean'},
    list: {type: 'array', items: {type: 'string'}},
    map: {type: 'object', additionalProperties: {type: 'string'}},
    explicitFlag: {type: 'boolean', 'x-orch-presence': 'explicit'},
    explicitText: {type: 'string', 'x-orch-presence': 'explicit'},
    alwaysText: {type: 'string', 'x-orch-presence': 'always'},
    part: {type: 'object', properties: {a: {type: 'string'}}, 'x-orch-presence': 'explicit'},
  });
  const {object} = decoded(schema, {
    metadata: {},
    text: '',
    count: 0,
    flag: false,
    list: [],
    map: {},
    explicitFlag: false,
    explicitText: '',
    alwaysText: '',
    part: {a: ''},
  });
  t.deepEqual(object, {metadata: {}, explicitFlag: false, explicitText: '', alwaysText: '', part: {}} as never);
});

test('fields that are always written appear with their empty value, and as null where that has no other form', (t) => {
  const schema = typedSchema(
    {
      text: {type: 'string', 'x-orch-presence': 'always'},
      count: {type: 'integer', 'x-orch-presence': 'always'},
      flag: {type: 'boolean', 'x-orch-presence': 'always'},
      list: {type: 'array', items: {type: 'string'}, 'x-orch-presence': 'always'},
      map: {type: 'object', additionalProperties: {type: 'string'}, 'x-orch-presence': 'always'},
      time: {$ref: 'meta.orch/v1#/definitions/Time', 'x-orch-presence': 'always'},
      pointer: {type: 'string', 'x-orch-presence': 'explicit-null'},
      part: {$ref: '#/definitions/Part', 'x-orch-presence': 'always'},
    },
    {Part: {type: 'object', properties: {inner: {type: 'string', 'x-orch-presence': 'always'}, other: {type: 'string'}}}},
  );
  const {object} = decoded(schema, {});
  schema.applyDefaults(object);
  const expected = {metadata: {}, text: '', count: 0, flag: false, list: null, map: null, time: null, pointer: null, part: {inner: ''}};
  t.deepEqual(object, expected as never);
  t.deepEqual(decoded(schema, object).object, expected as never, 'decoding leaves them as they are');
});

test('a default that is an empty value is not written where empty values are left out', (t) => {
  const schema = typedSchema({
    text: {type: 'string', default: ''},
    count: {type: 'integer', default: 0},
    explicit: {type: 'integer', 'x-orch-presence': 'explicit', default: 0},
  });
  const {object} = decoded(schema, {text: ''});
  schema.applyDefaults(object);
  t.deepEqual(object, {metadata: {}, explicit: 0} as never);
});

test('a default takes the place of an absent value and of an empty one', (t) => {
  const schema = typedSchema({
    optional: {type: 'string', default: 'TCP'},
    always: {type: 'string', 'x-orch-presence': 'always', default: 'TCP'},
    explicit: {type: 'integer', 'x-orch-presence': 'explicit', default: 1},
  });
  const {object} = decoded(schema, {optional: '', always: '', explicit: 0});
  schema.applyDefaults(object);
  t.deepEqual(object, {metadata: {}, optional: 'TCP', always: 'TCP', explicit: 0} as never);
});

test('null items and map values become the empty value of their type', (t) => {
  const schema = typedSchema({
    list: {type: 'array', items: {type: 'string'}},
    parts: {type: 'array', items: {type: 'object', properties: {}}},
    map: {type: 'object', additionalProperties: {type: 'string'}},
  });
  const {object, faults} = decoded(schema, {metadata: {labels: {a: null}}, list: [null], parts: [null], map: {a: null}});
  t.deepEqual(faults, []);
  t.deepEqual(object, {metadata: {labels: {a: ''}}, list: [''], parts: [{}], map: {a: ''}} as never);
});

test('texts get their normal form, and a text without one is a fault', (t) => {
  const meta = (name: string) => ({$ref: `meta.orch/v1#/definitions/${name}`});
  const schema = typedSchema({
    time: meta('Time'),
    micro: meta('MicroTime'),
    wait: meta('Duration'),
    amount: meta('Quantity'),
    number: meta('Quantity'),
    bytes: {type: 'string', format: 'byte'},
  });
  const good = {
    metadata: {},
    time: '2020-01-02T03:04:05.6+01:00',
    micro: '2020-01-02T03:04:05.000000Z',
    wait: '90m',
    amount: '1000m',
    number: 1.5,
    bytes: 'aGVs\r\nbG8=',
  };
  t.deepEqual(decoded(schema, good).object, {
    metadata: {},
    time: '2020-01-02T02:04:05Z',
    micro: '2020-01-02T03:04:05.000000Z',
    wait: '1h30m0s',
    amount: '1',
    number: '1500m',
    bytes: 'aGVsbG8=',
  } as never);
  const bad = decoded(schema, {time: 'yesterday', micro: '2020-02-30T00:00:00Z', wait: 'long', amount: '1 KB', bytes: '***'});
  t.deepEqual(
    bad.faults.map((fault) => fault.split(':')[0]),
    ['time', 'micro', 'wait', 'amount', 'bytes'],
  );
});

test('integers must fit their format', (t) => {
  const schema = typedSchema({small: {type: 'integer', format: 'int32'}, large: {type: 'integer', format: 'int64'}});
  t.deepEqual(decoded(schema, {small: 2147483647, large: 9223372036854775807n}).faults, []);
  t.deepEqual(decoded(schema, {small: 2147483648, large: 9223372036854775808n}).faults, [
    'small: Invalid value: 2147483648: small in body must be of type integer with format int32',
    'large: Invalid value: 9.223372036854776e+18: large in body must be of type integer with format int64',
  ]);
});

test('what a typed schema says of values is left to the strategy', (t) => {
  const schema = typedSchema({mode: {type: 'string', enum: ['a', 'b']}, list: {type: 'array', items: {type: 'string'}, maxItems: 1}});
  t.deepEqual(schema.validate({metadata: {}, mode: 'c', list: ['a', 'b']}), []);
});

test('a value with alternatives follows the one of its type', (t) => {
  const schema = typedSchema({
    choice: {'x-orch-alternatives': [{type: 'object', properties: {a: {type: 'string'}}}, {type: 'boolean'}]},
  });
  const chosen = decoded(schema, {choice: {a: 'x', b: 1}});
  t.deepEqual(chosen.object['choice'], {a: 'x'});
  // Kubernetes has such values read by themselves, and nobody hears of fields that are unknown there.
  t.deepEqual(chosen.unknown, []);
  t.deepEqual(decoded(schema, {choice: true}).faults, []);
  t.deepEqual(decoded(schema, {choice: 'x'}).faults, [
    'choice: Invalid value: "string": choice in body must be of type object,boolean: "string"',
  ]);
});
