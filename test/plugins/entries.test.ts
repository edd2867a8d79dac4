import {existsSync, globSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import test from 'ava';

test('the entry of every plugin of ours is plugin.ts', (t) => {
  const manifests = globSync('{plugins/*,examples}/*/plugin.json');
  t.true(manifests.length > 40);
  for (const file of manifests) {
    const {entry} = JSON.parse(readFileSync(file, 'utf8')) as {entry?: string};
    if (entry === undefined) continue;
    t.is(entry, './plugin.js', file);
    t.true(existsSync(join(dirname(file), 'plugin.ts')), file);
  }
});
