import test from 'ava';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {spawnOrch} from '../../helpers/orch-process.js';
import {tempFolder} from '../../helpers/temp-folder.js';

test('the code of the bundle is compiled by the first start, and read by the next one', async (t) => {
  const caches = tempFolder(t);
  const start = async () => {
    const env = {XDG_CACHE_HOME: caches, NODE_COMPILE_CACHE: '', NODE_DEBUG_NATIVE: 'COMPILE_CACHE'};
    const server = await spawnOrch({store: 'memory', env, startTimeoutMillis: 120_000});
    t.is(await server.stop(), 0);
    return server.logs();
  };
  const read = /chunks\/(\w+)\.js was accepted/g;
  t.notRegex(await start(), read);
  t.true(readdirSync(join(caches, 'orch/compiled'), {recursive: true}).length > 10);
  const names = new Set(Array.from((await start()).matchAll(read), ([, name]) => name));
  for (const name of ['command', 'server']) t.true(names.has(name), `${name}: ${[...names].join(' ')}`);
});
