import test from 'ava';
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {exampleFolder} from './example-server.js';

test('a program runs a server with the plugins of its choice in its own process, and ends', async (t) => {
  const {stdout, stderr} = await promisify(execFile)(process.execPath, [join(exampleFolder('selected-plugins'), 'main.js')]);
  t.regex(stdout, /^made colours with version \d+\n$/);
  t.is(stderr, '');
});
