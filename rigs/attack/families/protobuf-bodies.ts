import {gzipSync} from 'node:zlib';
import {envelope, message} from '../../../test/semantics/protobuf-reader.js';
import {family} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import {bodyAttack, largeBody} from './body-attack.js';

const type = 'application/vnd.orch.protobuf';
const bytes = (hexadecimal: string) => Buffer.from(hexadecimal, 'hex');
const metadata = message([1, 'bomb']);
const configMap = (...fields: readonly (readonly [number, Buffer | string])[]) =>
  envelope('v1', 'ConfigMap', message([1, metadata], ...fields));
const configMapOf = (raw: Buffer) => envelope('v1', 'ConfigMap', Buffer.concat([message([1, metadata]), raw]));

/** The same bytes until the body is as long as it may be. */
function filled(part: Buffer, length = largeBody): Buffer {
  return Buffer.alloc(Math.floor(length / part.length) * part.length, part);
}

/** A message in a message in a message, each the only field of the one around it. */
function nested(fieldNumber: number, depth: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  for (let level = 0; level < depth; level++) {
    const head = message([fieldNumber, Buffer.alloc(0)]).subarray(0, -1);
    const own = Buffer.concat([head, varint(length)]);
    parts.push(own);
    length += own.length;
  }
  return Buffer.concat(parts.reverse());
}

function varint(value: number): Buffer {
  const result: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) result.push((rest & 0x7f) | 0x80);
  return Buffer.from([...result, rest]);
}

const emptyData = bytes('1200');
const manyKeys = () => Buffer.concat(Array.from({length: 200_000}, (_, number) => message([2, message([1, `k${number}`])])));

const bodies: Readonly<Record<string, () => Buffer>> = {
  'depth-of-unknown': () => configMapOf(nested(99, 500_000)),
  'depth-of-envelope': () => Buffer.concat([bytes('6b387300'), nested(2, 500_000)]),
  'depth-of-groups': () => configMapOf(filled(bytes('9b06'))),
  'groups-closed': () => configMapOf(filled(bytes('9b069c06'))),
  'ends-of-groups': () => configMapOf(filled(bytes('9c06'))),
  'length-beyond-end': () => configMapOf(bytes('12ffffff7f')),
  'length-of-64-bits': () => configMapOf(bytes('12ffffffffffffffffff01')),
  'length-negative': () => configMapOf(bytes('12808080808080808080801f')),
  'endless-varint': () => configMapOf(Buffer.alloc(largeBody, 0xff)),
  'endless-tag': () => Buffer.concat([bytes('6b387300'), Buffer.alloc(largeBody, 0x80)]),
  'field-zero': () => configMapOf(filled(bytes('0000'))),
  'unknown-fields': () => configMapOf(filled(bytes('9806' + '00'))),
  'unknown-fields-fixed': () => configMapOf(filled(bytes('9906' + '0000000000000000'))),
  'bad-wire-types': () => configMapOf(filled(bytes('96069706'))),
  'empty-entries': () => configMapOf(filled(emptyData)),
  'many-keys': () => configMapOf(manyKeys()),
  'same-key': () => configMapOf(filled(message([2, message([1, 'k'], [2, 'v'])]))),
  'metadata-again': () => configMapOf(filled(message([1, metadata]))),
  'owner-references': () => envelope('v1', 'ConfigMap', message([1, Buffer.concat([metadata, filled(bytes('6a00'))])])),
  'managed-fields': () => envelope('v1', 'ConfigMap', message([1, Buffer.concat([metadata, filled(bytes('8a0100'))])])),
  finalizers: () => envelope('v1', 'ConfigMap', message([1, Buffer.concat([metadata, filled(bytes('7200'))])])),
  'no-utf-8': () => configMap([2, message([1, 'k'], [2, Buffer.alloc(largeBody, 0xc3)])]),
  'binary-data': () => configMap([3, message([1, 'k'], [2, Buffer.alloc(largeBody)])]),
  'unknown-kind': () => envelope('v1', 'x'.repeat(1_000_000), Buffer.alloc(1_000_000)),
  'no-kind': () => envelope('', '', configMapOf(filled(emptyData))),
  'prefix-alone': () => bytes('6b387300'),
  'another-prefix': () => Buffer.alloc(largeBody, 0x6b),
  'encoding-gzip': () =>
    Buffer.concat([envelope('v1', 'ConfigMap', gzipSync(Buffer.alloc(500_000_000 / 4))), message([3, 'gzip'], [4, 'application/json'])]),
  'content-type-json': () => Buffer.concat([envelope('v1', 'ConfigMap', Buffer.alloc(largeBody, '[')), message([4, 'application/json'])]),
};

const pod = (spec: Buffer) => envelope('v1', 'Pod', message([1, metadata], [2, spec]));

const pods: Readonly<Record<string, () => Buffer>> = {
  'pod-empty-containers': () => pod(filled(bytes('1200'))),
  'pod-empty-volumes': () => pod(filled(bytes('0a00'))),
  'pod-empty-tolerations': () => pod(filled(bytes('b20100'))),
  'pod-spec-again': () => envelope('v1', 'Pod', Buffer.concat([message([1, metadata]), filled(bytes('1200'))])),
};

const definitionsPath = '/apis/apiextensions.orch/v1/customresourcedefinitions';

export const protobufBodies = family(
  'protobuf',
  [
    ...Object.entries(bodies).map(([name, body]) =>
      bodyAttack({
        name,
        body,
        type,
        path: (attacker: Attacker) => `${attacker.path('configmaps')}?dryRun=All`,
        outcomes: [201, 400, 413, 422],
      }),
    ),
    ...Object.entries(pods).map(([name, body]) =>
      bodyAttack({name, body, type, path: (attacker: Attacker) => `${attacker.path('pods')}?dryRun=All`, outcomes: [400, 413, 422]}),
    ),
    // JSONSchemaProps holds itself as `not`, field 28.
    bodyAttack({
      name: 'definition-depth',
      user: 'builder',
      body: () => {
        const validation = message([1, nested(28, 200_000)]);
        const version = message([1, 'v1'], [4, validation]);
        return envelope(
          'apiextensions.orch/v1',
          'CustomResourceDefinition',
          message([1, metadata], [2, message([1, 'g.example'], [7, version])]),
        );
      },
      type,
      path: () => definitionsPath,
      outcomes: [400, 413, 422],
    }),
  ],
  {storeless: true},
);
