import type {Random} from '../../../test/helpers/random.js';
import type {Value} from './json-value.js';

/** A value as YAML, spelled in one of many ways; what YAML has beyond JSON comes now and then. */
export function yamlText(random: Random, value: Value): string {
  const top = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {value};
  const body = Object.entries(top)
    .map(
      ([name, member]) => `${random.chance(0.1) ? '? ' : ''}${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${flow(random, member)}`,
    )
    .join('\n');
  return random.pick([
    () => body,
    () => body,
    () => `---\n${body}\n`,
    () => `${body}\n---\n${body}`,
    () => `${body}\n...\n`,
    () => `x: &a [1]\ny: *a\nz: *b\n${body}`,
    () => `x: &a {b: c}\ny: {<<: *a}\n${body}`,
    () => `${body}\nt: !!binary AAEC\nu: !x y\nv: !!set {a}\nw: !!timestamp 2026-01-01`,
    () => `<<: {a: b}\n${body}`,
    () => `# ${random.text().replaceAll('\n', ' ')}\n${body}`,
    () => `%YAML 1.2\n---\n${body}`,
    () => `${body}\nlong: |\n  a\n  b\nfolded: >-\n  a\n\n  b\n`,
    () => body.replaceAll('"', "'"),
    () => body.replace(': ', ':\t'),
  ])();
}

const words = [
  'yes',
  'no',
  'on',
  '~',
  '0o17',
  '0x1F',
  '1_000',
  '.inf',
  '-.inf',
  '.nan',
  '1:30:00',
  '2026-01-01',
  '0777',
  '1e3',
  '+1',
  '=',
  '<<',
  '!!str 1',
];

/** A value in flow style; now and then a plain word that readers of YAML take in different ways. */
function flow(random: Random, value: Value): string {
  return random.chance(0.05) ? random.pick(words) : JSON.stringify(value);
}
