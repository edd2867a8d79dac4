import assert from 'node:assert/strict';
import {createHmac, randomBytes} from 'node:crypto';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import type {WebhookTarget} from '@orch-api/orch/sdk';
import {SignedWebhooks} from './plugin.js';

test('the call is passed on with a signature of the body', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'signing-'));
  t.after(() => rm(folder, {recursive: true}));
  const key = randomBytes(32);
  await writeFile(join(folder, 'key'), key);
  const caller = new SignedWebhooks({keyFile: join(folder, 'key')});
  const passed: [WebhookTarget, object | string][] = [];
  await caller.call({url: 'https://hooks.example.com/', timeoutMillis: 2000}, {a: 1}, undefined, async (target, review) => {
    passed.push([target!, review!]);
    return {};
  });
  const [[target, body] = []] = passed;
  assert.equal(body, '{"a":1}');
  assert.equal(target?.headers?.['x-signature'], `sha256=${createHmac('sha256', key).update('{"a":1}').digest('hex')}`);
});
