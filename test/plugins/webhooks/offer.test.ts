import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../helpers/temp-folder.js';
import {byWebhook, establishConverted, success, otherVersion, widget} from '../resources/apiextensions/conversion-fixture.js';

/** A plugin whose caller converts by itself, without a network. */
function pluginFolder(t: ExecutionContext, name: string, order: number): string {
  const folder = join(tempFolder(t), name);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'plugin.json'),
    JSON.stringify({name, version: '1.0.0', kernel: '*', entry: './index.js', contributes: {webhookCallers: ['Caller']}}),
  );
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, 'index.js'),
    `import {webhookCaller} from '@orch-api/orch/sdk';
const success = ${success.toString()};
const otherVersion = ${otherVersion.toString()};
export class Caller {
  async call(target, text) {
    const review = JSON.parse(text);
    const {desiredAPIVersion, objects} = review.request;
    return success(review, objects.map((object) => ({...otherVersion(object, desiredAPIVersion), spec: {...otherVersion(object, desiredAPIVersion).spec, note: ${JSON.stringify(name)}}})));
  }
}
webhookCaller({order: ${order}})(Caller);
`,
  );
  return folder;
}

async function start(t: ExecutionContext, options: ServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server;
}

/** A widget that was stored in v1, read in v2: its note, or the words of the failure. */
async function noteOf({client}: TestServer): Promise<unknown> {
  const group = 'widgets.example.com';
  await establishConverted(client, group, byWebhook({url: 'https://hooks.invalid/'}));
  const url = (version: string) => `/apis/${group}/${version}/namespaces/default/widgets`;
  await client.post(url('v1'), widget(group, 'w', 'v1'));
  const response = await client.get(`${url('v2')}/w`);
  return response.status === 200 ? response.json<{spec: {note?: string}}>().spec.note : response.json<Status>().message;
}

test('of several callers the first by order is offered to plugins, ahead of the one over HTTPS', async (t) => {
  const plugins = [pluginFolder(t, 'late-caller', 700), pluginFolder(t, 'early-caller', 300)];
  t.is(await noteOf(await start(t, {plugins})), 'early-caller');
});

test('without a caller of a plugin webhooks are called over HTTPS', async (t) => {
  t.regex(
    String(await noteOf(await start(t, {}))),
    /failed: Post "https:\/\/hooks\.invalid\/\?timeout=30s": the host "hooks\.invalid" cannot be found/,
  );
});

test('where no plugin makes such calls they fail in words', async (t) => {
  t.regex(
    String(await noteOf(await start(t, {disablePlugins: ['https-webhooks']}))),
    /failed: webhooks cannot be called: no plugin that takes part contributes a caller that makes this call$/,
  );
});
