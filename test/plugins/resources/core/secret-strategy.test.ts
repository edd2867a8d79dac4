import test from 'ava';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {orch} from '../../../../core/api/naming/orch.js';
import {SecretStrategy} from '../../../../plugins/resources/core/secret-strategy.js';
import {fieldErrorText} from '../../../../sdk/index.js';
import type {Secret} from '../../../../sdk/types/unchecked/core/v1.js';

const strategy = new SecretStrategy(kubernetes, {enabled: () => true});
const base64 = (text: string) => Buffer.from(text).toString('base64');
const make = (members: Partial<Secret>): Secret => ({metadata: {name: 'key'}, type: 'Opaque', ...members});
const faults = (members: Partial<Secret>) => strategy.validateCreate(make(members)).map(fieldErrorText);

function withDefaults(members: Partial<Secret>): Secret {
  const object = {metadata: {name: 'key'}, ...members};
  strategy.applyDefaults(object);
  return object;
}

test('the type is Opaque when none is given', (t) => {
  t.is(withDefaults({}).type, 'Opaque');
  t.is(withDefaults({type: ''}).type, 'Opaque');
  t.is(withDefaults({type: 'example.com/own'}).type, 'example.com/own');
});

test('stringData replaces entries of data and is not kept', (t) => {
  t.deepEqual(withDefaults({data: {a: base64('old'), b: base64('kept')}, stringData: {a: 'néw', c: ''}}), {
    metadata: {name: 'key'},
    type: 'Opaque',
    data: {a: base64('néw'), b: base64('kept'), c: ''},
  });
  t.deepEqual(withDefaults({stringData: {a: 'x'}}).data, {a: base64('x')});
  t.deepEqual(withDefaults({stringData: {}}), {metadata: {name: 'key'}, type: 'Opaque'});
});

test('an entry named __proto__ is an entry', (t) => {
  const object = withDefaults(JSON.parse('{"stringData": {"__proto__": "x"}, "data": {"a": ""}}') as Partial<Secret>);
  t.deepEqual(Object.entries(object.data!), [
    ['a', ''],
    ['__proto__', base64('x')],
  ]);
  t.is(Object.getPrototypeOf(object.data), Object.prototype);
});

test('values together may have 1 MiB', (t) => {
  t.deepEqual(faults({data: {a: Buffer.alloc(1024 * 1024).toString('base64')}}), []);
  t.deepEqual(faults({data: {a: Buffer.alloc(1024 * 1024 + 1).toString('base64')}}), ['data: Too long: must have at most 1048576 bytes']);
});

test('keys are file-like names', (t) => {
  t.regex(faults({data: {'a/b': ''}})[0]!, /^data\[a\/b\]: Invalid value/);
});

const typed: {type: string; bad: Record<string, string>; missing: string[]; good: Record<string, string>}[] = [
  {type: 'kubernetes.io/basic-auth', bad: {}, missing: ['data[username]', 'data[password]'], good: {password: ''}},
  {type: 'kubernetes.io/ssh-auth', bad: {'ssh-privatekey': ''}, missing: ['data[ssh-privatekey]'], good: {'ssh-privatekey': base64('k')}},
  {type: 'kubernetes.io/tls', bad: {'tls.crt': ''}, missing: ['data[tls.key]'], good: {'tls.crt': '', 'tls.key': ''}},
  {type: 'kubernetes.io/dockercfg', bad: {}, missing: ['data[.dockercfg]'], good: {'.dockercfg': base64('{}')}},
  {
    type: 'kubernetes.io/dockerconfigjson',
    bad: {'.dockercfg': ''},
    missing: ['data[.dockerconfigjson]'],
    good: {'.dockerconfigjson': base64('{"auths":{}}')},
  },
];

for (const {type, bad, missing, good} of typed) {
  test(`a secret of type ${type} must hold what the type needs`, (t) => {
    t.deepEqual(
      faults({type, data: bad}),
      missing.map((path) => `${path}: Required value`),
    );
    t.deepEqual(faults({type}).length > 0, true);
    t.deepEqual(faults({type, data: good}), []);
  });
}

test('a registry configuration must be a JSON object, and a fault shows nothing of it', (t) => {
  for (const text of ['hunter2', '["hunter2"]', '"hunter2"', '{"auths": hunter2}']) {
    const [fault, ...others] = faults({type: 'kubernetes.io/dockerconfigjson', data: {'.dockerconfigjson': base64(text)}});
    t.deepEqual(others, []);
    t.regex(fault!, /^data\[\.dockerconfigjson\]: Invalid value: "<secret contents redacted>"/);
    t.notRegex(fault!, /hunter2/);
  }
});

test('a service account token names its account in an annotation', (t) => {
  const type = 'kubernetes.io/service-account-token';
  t.deepEqual(faults({type}), ['metadata.annotations[kubernetes.io/service-account.name]: Required value']);
  t.deepEqual(faults({type, metadata: {name: 'a', annotations: {'kubernetes.io/service-account.name': 'default'}}}), []);
});

test('types follow the naming profile', (t) => {
  const other = new SecretStrategy(orch, {enabled: () => true});
  t.is(other.validateCreate(make({type: 'orch/tls'})).length, 2);
  t.is(other.validateCreate(make({type: 'kubernetes.io/tls'})).length, 0);
});

test('the type never changes', (t) => {
  t.deepEqual(strategy.validateUpdate(make({type: 'other'}), make({})).map(fieldErrorText), [
    'type: Invalid value: "other": field is immutable',
  ]);
});

test('data are frozen once immutable is true', (t) => {
  const old = make({immutable: true, data: {a: ''}});
  t.deepEqual(strategy.validateUpdate(make({immutable: true, data: {a: ''}}), old), []);
  t.deepEqual(
    strategy.validateUpdate(make({data: {a: base64('x')}}), old).map(({field}) => field),
    ['immutable', 'data'],
  );
});
