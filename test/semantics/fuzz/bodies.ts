import {envelope, message} from '../protobuf-reader.js';
import type {Random} from '../../helpers/random.js';

/** Anything that JSON can hold; bigint stands for an integer that a double cannot. */
type Value = string | number | boolean | null | Value[] | {[member: string]: Value};

/** A body and the media type that it is sent as. */
export interface Body {
  readonly bytes: Buffer;
  readonly type: string | undefined;
}

const times = ['2026-01-01T10:00:00Z', '2026-01-01', 'soon', '9999-99-99T99:99:99Z'];

/** What is in an object of a type besides its metadata. */
const contents: Readonly<Record<string, (random: Random, name: string) => {[member: string]: Value}>> = {
  configmaps: (random) => ({apiVersion: 'v1', kind: 'ConfigMap', data: {a: random.text()}, binaryData: {b: 'AAEC'}}),
  secrets: (random) => ({apiVersion: 'v1', kind: 'Secret', type: 'Opaque', stringData: {a: random.text()}}),
  namespaces: () => ({apiVersion: 'v1', kind: 'Namespace'}),
  leases: (random) => ({
    apiVersion: 'coordination.orch/v1',
    kind: 'Lease',
    spec: {holderIdentity: 'me', leaseDurationSeconds: random.number(), renewTime: random.pick(times)},
  }),
  events: (random, name) => ({
    involvedObject: {kind: 'ConfigMap', name, namespace: 'default'},
    reason: random.text(),
    count: random.number(),
    type: 'Normal',
  }),
  widgets: (random) => ({spec: {size: 'small', replicas: random.number(), tags: ['a', 'b']}}),
  reservations: (random) => ({spec: {room: 'a', from: random.pick(times), seats: random.number()}, status: {phase: random.text()}}),
  gadgets: (random) => ({
    spec: {
      text: random.text(),
      big: random.number(),
      words: ['a'],
      numbers: {n: random.number()},
      parts: [{name: 'p', count: 1}],
      free: {x: [1]},
    },
  }),
  vouchers: (random) => ({spec: {text: random.text()}}),
};

/** Objects as clients send them; they are changed before they are sent. */
function objectLike(random: Random, resource: string, name: string): Value {
  const metadata: Value = {
    name,
    ...(random.chance(0.3) ? {labels: {a: random.text()}, annotations: {b: random.text()}} : {}),
    ...(random.chance(0.1) ? {finalizers: random.some(['example.com/hold', 'orphan', 'x'], 2)} : {}),
    ...(random.chance(0.1) ? {generateName: random.text()} : {}),
    ...(random.chance(0.1) ? {resourceVersion: random.text(), uid: random.text()} : {}),
    ...(random.chance(0.1) ? {deletionTimestamp: random.pick(times), managedFields: [{}]} : {}),
  };
  const content = random.chance(0.1) ? random.pick(Object.values(contents)) : (contents[resource] ?? contents['vouchers']!);
  return {...content(random, name), metadata};
}

function anything(random: Random, depth = 3): Value {
  if (depth === 0 || random.chance(0.6)) return random.pick<Value>([null, true, false, random.number(), random.text(), '', [], {}]);
  if (random.chance(0.5)) return Array.from({length: random.below(4)}, () => anything(random, depth - 1));
  return Object.fromEntries(Array.from({length: random.below(4)}, () => [random.text(), anything(random, depth - 1)]));
}

/** The same value with some parts replaced, removed or added. */
function changed(random: Random, value: Value, probability: number): Value {
  if (random.chance(probability)) return anything(random);
  if (Array.isArray(value)) return value.map((item) => changed(random, item, probability));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(() => !random.chance(probability))
    .map(([name, member]) => [name, changed(random, member, probability)] as const);
  if (random.chance(probability)) members.push([random.text(), anything(random)]);
  return Object.fromEntries(members);
}

/** JSON text of a value, now and then with members twice, long numbers or prototypes. */
function jsonText(random: Random, value: Value): string {
  let text = JSON.stringify(value);
  if (random.chance(0.1))
    text = text.replace(
      '{',
      `{${random.pick(['"metadata":{"name":"a"},', '"data":{},', '"__proto__":{"x":1},', '"kind":"X",', '"spec":null,'])}`,
    );
  if (random.chance(0.05))
    text = text.replace(/:\d+/, `:${random.pick(['123456789012345678901234567890', '1e400', '-0', '00', '1.', '0x1'])}`);
  return text;
}

function yamlText(random: Random, value: Value): string {
  const body = Object.entries(typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {value})
    .map(
      ([name, member]) =>
        `${random.chance(0.1) ? '? ' : ''}${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${jsonText(random, member)}`,
    )
    .join('\n');
  return random.pick([
    body,
    `---\n${body}\n`,
    `${body}\n---\n${body}`,
    `x: &a [1]\ny: *a\nz: *b\n${body}`,
    `${body}\nt: !!binary AAEC\nu: !x y`,
    `<<: {a: b}\n${body}`,
    `# ${random.text()}\n${body}`,
  ]);
}

/** Bytes with a few of them changed, lost or doubled. */
export function damaged(random: Random, bytes: Buffer): Buffer {
  const result = Buffer.from(bytes);
  for (let change = random.below(4); change > 0 && result.length > 0; change--) result[random.below(result.length)] = random.below(256);
  const cut = random.below(result.length + 1);
  return random.pick([
    result,
    result,
    result.subarray(0, cut),
    Buffer.concat([result.subarray(0, cut), random.bytes(8), result.subarray(cut)]),
    Buffer.concat([result, result]),
  ]);
}

function pointer(random: Random): string {
  return random.pick([
    '',
    '/',
    '/metadata',
    '/metadata/labels',
    '/metadata/labels/a',
    '/metadata/finalizers/-',
    '/data',
    '/data/a',
    '/spec',
    '/spec/words/0',
    '/spec/tags/-',
    '/kind',
    '/__proto__/x',
    `/data/${random.text()}`,
    random.text(),
  ]);
}

function jsonPatch(random: Random): Value {
  return Array.from({length: random.below(5)}, () => {
    const op = random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'add', random.text()]);
    return {
      op,
      path: pointer(random),
      ...(random.chance(0.8) ? {value: anything(random)} : {}),
      ...(random.chance(0.5) ? {from: pointer(random)} : {}),
    };
  });
}

function directives(random: Random): Value {
  return random.pick<Value>([
    {$patch: random.pick(['replace', 'delete', 'merge', 'x'])},
    {metadata: {finalizers: ['a'], '$setElementOrder/finalizers': ['a'], '$deleteFromPrimitiveList/finalizers': ['example.com/hold']}},
    {metadata: {'$deleteFromPrimitiveList/finalizers': anything(random), '$setElementOrder/finalizers': anything(random)}},
    {metadata: {ownerReferences: [{uid: 'x', $patch: random.pick(['delete', 'replace', 'y'])}]}},
    {$retainKeys: anything(random), data: {$patch: 'replace', a: 'b'}},
  ]);
}

/** A body for a method: right, nearly right, or nonsense. */
export function randomBody(random: Random, method: string, resource: string, name: string): Body | undefined {
  if (method === 'GET' || method === 'HEAD') return random.chance(0.02) ? {bytes: random.bytes(20), type: 'application/json'} : undefined;
  if (method === 'DELETE' && random.chance(0.6)) return undefined;
  const probability = random.pick([0, 0, 0.02, 0.1]);
  const text = (value: Value) => Buffer.from(jsonText(random, changed(random, value, probability)));
  const object = objectLike(random, resource, name);
  const options: Value = {
    kind: 'DeleteOptions',
    gracePeriodSeconds: random.number(),
    propagationPolicy: random.pick(['Orphan', 'Foreground', 'Background', random.text()]),
    preconditions: {uid: random.text()},
    dryRun: ['All'],
  };
  const kinds: Record<string, readonly Body[]> = {
    PATCH: [
      {bytes: text(jsonPatch(random)), type: 'application/json-patch+json'},
      {bytes: text(object), type: 'application/merge-patch+json'},
      {bytes: text(random.chance(0.5) ? directives(random) : object), type: 'application/strategic-merge-patch+json'},
      {
        bytes: random.chance(0.5) ? text(object) : Buffer.from(yamlText(random, changed(random, object, probability))),
        type: 'application/apply-patch+yaml',
      },
    ],
    DELETE: [
      {bytes: text(options), type: 'application/json'},
      {bytes: envelope('v1', 'DeleteOptions', message([4, random.text()], [5, random.text()])), type: 'application/vnd.orch.protobuf'},
    ],
  };
  const whole: readonly Body[] = [
    {bytes: text(object), type: 'application/json'},
    {bytes: text(object), type: undefined},
    {bytes: Buffer.from(yamlText(random, changed(random, object, probability))), type: 'application/yaml'},
    {
      bytes: envelope(
        'v1',
        random.pick(['ConfigMap', 'Secret', '']),
        message([1, message([1, name], [11, message([1, 'a'], [2, random.text()])])], [2, message([1, 'a'], [2, random.text()])]),
      ),
      type: 'application/vnd.orch.protobuf',
    },
  ];
  const body = random.pick(kinds[method] ?? whole);
  return {
    bytes: random.chance(0.15) ? damaged(random, body.bytes) : body.bytes,
    type: random.chance(0.05)
      ? random.pick([
          'text/plain',
          'application/json; charset=latin1',
          'application/',
          ';',
          'application/json;x="',
          'application/apply-patch+yaml',
          'application/vnd.orch.protobuf',
        ])
      : body.type,
  };
}
