import test from 'ava';
import {readdirSync, readFileSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import vm from 'node:vm';
import {commandLine, spawnOrch} from '../../helpers/orch-process.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const scripts = ['command', 'pino', 'server', 'x509.cjs'];

test('a start keeps what it compiled, the next one uses it, and what is damaged is made anew', async (t) => {
  const cache = tempFolder(t);
  /** Paths of the scripts' code, in the order of their names. */
  const start = async () => {
    const server = await spawnOrch({store: 'memory', env: {NODE_COMPILE_CACHE: cache}, startTimeoutMillis: 120_000});
    t.is(await server.stop(), 0);
    return readdirSync(cache, {recursive: true, encoding: 'utf8'})
      .filter((name) => name.includes('.script.js'))
      .toSorted()
      .map((name) => join(cache, name));
  };
  const identity = (path: string) => `${statSync(path).ino} ${statSync(path).mtimeMs}`;
  const files = await start();
  t.is(files.length, scripts.length, files.join('\n'));
  for (const [index, name] of scripts.entries()) {
    const text = readFileSync(join(dirname(commandLine), '../../chunks', `${name}.script.js`), 'latin1');
    const untouched = new vm.Script(text).createCachedData().length;
    t.true(statSync(files[index]!).size > untouched * 1.3, `${name}: without the functions of a start`);
  }

  const before = files.map(identity);
  t.deepEqual((await start()).map(identity), before);

  const [command, pino, server, x509] = files as [string, string, string, string];
  const damaged = readFileSync(server);
  damaged[damaged.length >> 1]! ^= 0xff;
  writeFileSync(server, damaged);
  truncateSync(pino, 4);
  t.deepEqual(await start(), files);
  t.deepEqual([command, x509].map(identity), [before[0], before[3]]);
  for (const file of [pino, server]) t.false(before.includes(identity(file)), file);
});
