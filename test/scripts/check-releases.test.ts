import {execFile} from 'node:child_process';
import {cp, mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder} from '../helpers/temp-folder.js';

const run = promisify(execFile);
const scripts = join(projectRoot(), 'scripts/schemas');

/** What the check prints about one release after a change of the tables. */
async function checkAfter(folder: string, file: string, change: (text: string) => string): Promise<string> {
  await mkdir(folder);
  for (const room of ['core', 'plugins', 'sdk']) await symlink(join(projectRoot(), room), join(folder, room));
  const copy = join(folder, 'scripts/schemas');
  await cp(scripts, copy, {recursive: true});
  const path = join(copy, 'facts', file);
  const before = await readFile(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error('nothing was changed');
  await writeFile(path, after);
  return run(process.execPath, [join(copy, 'check-releases.mjs'), '--release', '1.30']).then(
    ({stdout}) => stdout,
    ({stdout}: {stdout: string}) => stdout,
  );
}

test('the types of a release are those that it publishes', async (t) => {
  const {stdout} = await run(process.execPath, [join(scripts, 'check-releases.mjs'), '--release', '1.30']);
  t.regex(stdout, /^releases: 1\.30, 0 differences/m);
});

test('a planted difference from what a release publishes is found', async (t) => {
  const folder = tempFolder(t);
  const lists = await checkAfter(join(folder, 'lists'), 'core_v1.json', (text) =>
    text.replace(/("name":"hostAliases"[^\n]*)"listType":"map"/, '$1"listType":"set"'),
  );
  t.regex(lists, /1\.30 io\.k8s\.api\.core\.v1\.PodSpec hostAliases: x-kubernetes-list-type is "set", published is "map"/);
  const fields = await checkAfter(join(folder, 'fields'), 'core_v1.json', (text) =>
    text.replace('"name":"hostIPs"', '"until":"1.30","name":"hostIPs"'),
  );
  t.regex(fields, /1\.30 io\.k8s\.api\.core\.v1\.PodStatus hostIPs: field is undefined, published is there/);
  t.regex(fields, /^releases: 1\.30, 1 differences/m);
});
