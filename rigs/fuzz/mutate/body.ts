import {cborCodec} from '../../../core/api/cbor/cbor-codec.js';
import type {Random} from '../../../test/helpers/random.js';
import {damage} from './damage.js';
import {mutateValue, type Value, type Vocabulary} from './json-value.js';
import {mutateProtobuf} from './protobuf.js';
import {yamlText} from './yaml.js';

/** A body with the media type that it is sent as. */
export interface TypedBody {
  readonly body: Buffer;
  readonly type: string | undefined;
}

const maximumBody = 300_000;

/** Types whose bodies may be CBOR as well, and how they are called then. */
const cborTypes: Readonly<Record<string, string>> = {
  'application/json': 'application/cbor',
  'application/apply-patch+yaml': 'application/apply-patch+cbor',
};

/** Changes a body in its own form, or damages its bytes. */
export function mutateBody(random: Random, {body, type}: TypedBody, vocabulary: Vocabulary): TypedBody {
  const changed = random.chance(0.03) ? {body: damage(random, body), type} : inItsForm(random, {body, type}, vocabulary);
  return changed.body.length > maximumBody ? {body: changed.body.subarray(0, maximumBody), type: changed.type} : changed;
}

function inItsForm(random: Random, {body, type}: TypedBody, vocabulary: Vocabulary): TypedBody {
  if (type?.includes('protobuf')) return {body: mutateProtobuf(random, body), type};
  let value: Value;
  try {
    value = JSON.parse(body.toString('utf8')) as Value;
  } catch {
    return {body: damage(random, body), type};
  }
  for (let count = 1 + random.below(4); count > 0; count--) value = mutateValue(random, value, vocabulary);
  if (
    type === undefined
      ? random.chance(0.03)
      : /yaml/.test(type)
        ? random.chance(0.5)
        : type.endsWith('application/json') && random.chance(0.05)
  )
    return {body: Buffer.from(yamlText(random, value)), type: type?.includes('yaml') ? type : 'application/yaml'};
  const binary = random.chance(0.06) ? cborTypes[type ?? 'application/json'] : undefined;
  if (binary !== undefined) {
    const item = cborCodec.encode(value);
    return {body: random.chance(0.4) ? damage(random, item) : item, type: binary};
  }
  const text = JSON.stringify(value);
  return {body: Buffer.from(random.chance(0.12) ? mutateText(random, text) : text), type};
}

/** Changes the text of JSON where values cannot tell: members twice, long numbers, odd spellings. */
function mutateText(random: Random, text: string): string {
  const members = [
    '"metadata":{"name":"a"},',
    '"data":{},',
    '"__proto__":{"x":1},',
    '"kind":"X",',
    '"spec":null,',
    '"":1,',
    '"status":{},',
  ];
  return random.pick([
    () => text.replace('{', `{${random.pick(members)}`),
    () => insertAt(random, text, /[{]/g, random.pick(members)),
    () =>
      text.replace(/:\d+/, `:${random.pick(['123456789012345678901234567890', '1e400', '-0', '00', '1.', '0x1', '1E2', '1e-400', '+1'])}`),
    () => text.replaceAll(':', random.pick([' : ', ':\n', ':\t', ':\u00a0'])),
    () => `\ufeff${text}`,
    () => `${text}${random.pick(['{}', ']', ' ', '\u0000', 'null', ','])}`,
    () => text.slice(0, random.below(text.length)),
    () => text.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    () => text.replace(/"/, "'"),
    () => text.replace(/,/, ',,'),
    () => `[${text}]`,
    () => `/* a */ ${text}`,
  ])();
}

function insertAt(random: Random, text: string, place: RegExp, inserted: string): string {
  const found = [...text.matchAll(place)];
  if (found.length === 0) return text;
  const at = random.pick(found).index + 1;
  return `${text.slice(0, at)}${inserted}${text.slice(at)}`;
}
