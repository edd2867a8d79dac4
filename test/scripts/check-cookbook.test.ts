import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {fileTree, runScript} from '../helpers/run-script.js';

const page = (code: string) => `# A route\n\n\`\`\`ts from=examples/route/plugin.ts\n${code}\`\`\`\n`;
const check = (root: string, ...flags: string[]) => runScript('check-cookbook.mjs', ['--root', root, ...flags]);

test('a page of the cookbook has the code of its example, and is written anew', async (t) => {
  const root = fileTree(t, {'docs/cookbook/route.md': page('old();\n'), 'examples/route/plugin.ts': 'route();\n'});
  const found = await check(root);
  t.is(found.code, 1);
  t.regex(found.output, /docs\/cookbook\/route\.md: not what examples\/route\/plugin\.ts says/);
  t.is((await check(root, '--update')).code, 0);
  t.is(readFileSync(join(root, 'docs/cookbook/route.md'), 'utf8'), page('route();\n'));
  writeFileSync(join(root, 'docs/cookbook/route.md'), `${page('route();\n')}\n\`\`\`ts\nuntested();\n\`\`\`\n`);
  t.regex((await check(root)).output, /code that no test runs/);
});
