import assert from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {SignedWebhooks} from './plugin.js';

test('a service that is not there is told as Unreachable, in time', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'signing-'));
  t.after(() => rm(folder, {recursive: true}));
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, randomBytes(32));
  const caller = new SignedWebhooks({keyFile});
  await assert.rejects(caller.call({url: 'https://127.0.0.1:1/', timeoutMillis: 2000}, {}), {code: 'Unreachable'});
});
