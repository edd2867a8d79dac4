import type {SchemaNode} from '../../../core/api/schema/schema-node.js';
import type {Random} from '../../../test/helpers/random.js';
import type {Value} from '../mutate/json-value.js';
import type {Place} from './places.js';

/** Bytes of JSON that are aimed at: up to what a body may have. */
const sizes = [100_000, 400_000, 1_000_000, 1_400_000, 2_900_000];

/** A value for a place, of about as many bytes as one of the sizes. */
export function largeValue(random: Random, {kind, node, steps}: Place): Value {
  const bytes = random.pick(sizes);
  if (kind === 'text') return largeText(random, bytes);
  const name = String(steps.at(-1) ?? '');
  const item = (kind === 'list' ? node.items : node.additional) ?? undefined;
  const isFull = random.chance(0.6);
  const isSame = random.chance(0.2);
  const of = (index: number) => sample(item, name, isSame ? 1 : index, isFull ? 1 : 0);
  const long = random.chance(0.1) ? 'k'.repeat(200) : 'k';
  const key = (index: number) => `${long}${index}`;
  const list: Value[] = [];
  const map: Record<string, Value> = {};
  let size = 0;
  for (let index = 0; size < bytes; index++) {
    const value = of(index);
    if (kind === 'list') list.push(value);
    else map[key(index)] = value;
    size += (JSON.stringify(value) ?? '').length + 1 + (kind === 'map' ? key(index).length + 3 : 0);
  }
  return kind === 'list' ? list : map;
}

/** Texts that what reads them may take long for: numbers, lists, paths, brackets, expressions, lines. */
const patterns = [
  'x',
  '9',
  '0.',
  '1,',
  'a/',
  '{',
  '[',
  '(',
  '((a+)+',
  'a=b,',
  ' ',
  '\n',
  '- a\n',
  'a: b\n',
  '::',
  '1.',
  '%41',
  '\\',
  'é',
  '\u{1f600}',
  '*',
  '"',
];

function largeText(random: Random, bytes: number): string {
  const pattern = random.pick(patterns);
  return pattern.repeat(Math.ceil(bytes / Buffer.byteLength(pattern)));
}

/** A value that fits a schema, if possible another one for each index. @param depth levels of objects whose scalars are filled in */
function sample(node: SchemaNode | undefined, name: string, index: number, depth: number): Value {
  switch (node?.type) {
    case 'string':
      return sampleText(node, name, index);
    case 'integer':
    case 'int-or-string':
      return (index % 60_000) + 1;
    case 'number':
      return index + 0.5;
    case 'boolean':
      return index % 2 === 0;
    case 'array':
      return depth > 0 && node.items ? [sample(node.items, name, index, depth - 1)] : [];
    case 'object':
      return depth > 0 ? sampleObject(node, index, depth - 1) : {};
    default:
      return node && depth > 0 ? {[`k${index}`]: index} : index;
  }
}

function sampleObject(node: SchemaNode, index: number, depth: number): Value {
  const object: Record<string, Value> = {};
  for (const [name, child] of node.properties) {
    const isScalar = !['array', 'object', 'any'].includes(child.type);
    if (isScalar ? Object.keys(object).length < 4 : child.presence === 'always') object[name] = sample(child, name, index, depth);
  }
  if (node.additional) object['key'] = sample(node.additional, 'key', index, depth);
  return object;
}

function sampleText({form, format}: SchemaNode, name: string, index: number): string {
  if (form === 'quantity') return String(index + 1);
  if (form === 'time' || format === 'date-time') return '2030-01-01T00:00:00Z';
  if (form === 'micro-time') return '2030-01-01T00:00:00.000001Z';
  if (form === 'bytes') return 'AAAA';
  if (/cidr/i.test(name)) return `10.${(index >> 8) & 255}.${index & 255}.0/24`;
  if (/ip$|ips$|addresses$/i.test(name)) return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  if (/path$/i.test(name)) return `/p${index}`;
  return `v${index}`;
}
