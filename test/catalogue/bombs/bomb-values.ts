import type {SchemaNode} from '../../../core/api/schema/schema-node.js';

/** Texts that stand for all kinds of them: names, numbers, versions, addresses, and letters that expressions stumble over. */
const fillers = [
  'a',
  '0',
  '-',
  '.',
  'a.',
  '1.',
  '/',
  ':',
  ',',
  '=',
  ' ',
  '%',
  '\\',
  '"',
  '(',
  '$(',
  '*',
  '_',
  'A',
  'é',
  '\n',
  '+',
  '1e',
  '::',
  'a=b,',
  '{.a',
  '[0]',
];

export interface BombValue {
  readonly how: string;
  /** JSON. */
  readonly text: string;
}

/** Values for a place with about so many bytes. */
export function bombValues(node: SchemaNode, bytes: number): BombValue[] {
  if (node.items) return listBombs(node.items, bytes);
  if (node.additional && node.properties.size === 0) return mapBombs(node.additional, bytes);
  if (node.type === 'string' || node.type === 'int-or-string' || node.type === 'any')
    return fillers.map((filler) => ({
      how: `text of ${JSON.stringify(filler)}`,
      text: JSON.stringify(filler.repeat(bytes / JSON.stringify(filler).length)),
    }));
  const lists = [...node.properties].filter(([, child]) => child.items || child.additional);
  if (lists.length < 2) return [];
  const share = bytes / lists.length;
  const members = lists.map(([name, child]) => `${JSON.stringify(name)}:${(bombValues(child, share).at(-1) ?? {text: 'null'}).text}`);
  return [{how: 'all its lists at once', text: `{${members.join(',')}}`}];
}

function listBombs(items: SchemaNode, bytes: number): BombValue[] {
  const list = (how: string, item: (index: number) => string) => ({how, text: `[${fill(item, bytes)}]`});
  const bombs = [list('zero items', () => zero(items)), list('equal items', () => sample(items, 'a', 2))];
  if (hasText(items)) bombs.push(list('items that differ', (index) => sample(items, `n${index}`, 2)));
  return bombs;
}

function mapBombs(values: SchemaNode, bytes: number): BombValue[] {
  const map = (how: string, key: (index: number) => string) => ({
    how,
    text: `{${fill((index) => `${JSON.stringify(key(index))}:${sample(values, 'a', 1)}`, bytes)}}`,
  });
  return [map('bad keys', (index) => `-${index} `), map('keys', (index) => `k${index}`)];
}

function fill(item: (index: number) => string, bytes: number): string {
  const items: string[] = [];
  for (let index = 0, size = 0; ; index += 1) {
    const text = item(index);
    size += text.length + 1;
    if (size > bytes) return items.join(',');
    items.push(text);
  }
}

function zero(node: SchemaNode): string {
  if (node.items) return '[]';
  if (node.type === 'string') return '""';
  if (node.type === 'integer' || node.type === 'number') return '0';
  if (node.type === 'boolean') return 'false';
  return node.type === 'object' ? '{}' : '0';
}

function hasText(node: SchemaNode): boolean {
  return node.type === 'string' || [...node.properties.values()].some((child) => child.type === 'string');
}

/** A small value that fits the schema; `text` is what texts are that have no form of their own. */
function sample(node: SchemaNode, text: string, depth: number): string {
  if (node.items) return depth > 0 ? `[${sample(node.items, text, depth - 1)}]` : '[]';
  switch (node.type) {
    case 'string':
      return JSON.stringify(textOf(node, text));
    case 'integer':
    case 'number':
      return '1';
    case 'boolean':
      return 'true';
    case 'int-or-string':
      return '1';
    case 'object': {
      if (node.properties.size === 0 || depth === 0) return '{}';
      const members = [...node.properties].filter(([, child]) => child.type !== 'object' && !child.items && !child.additional);
      return `{${members.map(([name, child]) => `${JSON.stringify(name)}:${sample(child, text, depth - 1)}`).join(',')}}`;
    }
    default:
      return '{}';
  }
}

function textOf(node: SchemaNode, text: string): string {
  if (node.form === 'bytes') return 'YQ==';
  if (node.form === 'quantity') return '1';
  if (node.form !== undefined) return '2030-01-01T00:00:00Z';
  const {enum: choices} = node.schema;
  return typeof choices?.[0] === 'string' ? choices[0] : text;
}
