import test, {type ExecutionContext} from 'ava';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Status} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../../helpers/temp-folder.js';

/** A plugin whose controller does in `validate` what the data of a ConfigMap says, as JavaScript. */
function plugin(t: ExecutionContext): string {
  const folder = tempFolder(t);
  const contributes = {admission: [{class: 'Meddler', name: 'Meddler', enabledByDefault: true}]};
  writeFileSync(
    join(folder, 'plugin.json'),
    JSON.stringify({name: 'meddler', version: '1.0.0', kernel: '^0.1.0', entry: './index.js', contributes}),
  );
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, 'index.js'),
    `import {admission} from '@orch-api/orch/sdk';
export class Meddler {
  async validate(request) {
    const {object, oldObject} = request;
    const meddle = object?.data?.meddle;
    if (meddle) await new (async function () {}.constructor)('request', 'object', 'oldObject', meddle)(request, object, oldObject);
  }
}
admission({operations: ['CREATE', 'UPDATE'], resources: ['configmaps']})(Meddler);
`,
  );
  return folder;
}

const maps = '/api/v1/namespaces/default/configmaps';
const strict = '"use strict"; ';

async function start(t: ExecutionContext, options = {}): Promise<TestServer> {
  const server = await startTestServer({plugins: [plugin(t)], ...options});
  t.teardown(() => server.stop());
  return server;
}

test('a controller that changes an object in validate fails in tests, and the answer names it', async (t) => {
  const {client} = await start(t);
  t.is((await client.post(maps, {metadata: {name: 'c', labels: {a: 'b'}, finalizers: ['example.com/x']}, data: {}})).status, 201);
  for (const meddle of [
    'object.data.more = "x"',
    'object.metadata.labels.a = "c"',
    'delete object.metadata.labels.a',
    'object.metadata.finalizers.push("x")',
    'object.metadata.finalizers.length = 0',
    'Object.defineProperty(object.data, "x", {value: "y"})',
    'oldObject.metadata.labels.a = "c"',
    'request.object = {}',
    'await request.patch([{op: "remove", path: "/data"}], request.forms[0])',
    'request.runAgain()',
  ]) {
    const answer = await client.patch(`${maps}/c`, {data: {meddle: strict + meddle}});
    t.is(answer.status, 500, meddle);
    t.regex(
      answer.json<Status>().message!,
      /admission controller "Meddler" changes configmaps in validate, which only admit may: Cannot /,
      meddle,
    );
  }
  const {data} = (await client.get(`${maps}/c`)).json<{data?: object}>();
  t.is(data, undefined);
});

test('what validate reads in tests is all that there is', async (t) => {
  const {client} = await start(t);
  const checks = [
    'object.data.plain === "x" && object.metadata.name === "c" && oldObject === undefined',
    'request.name === "c" && request.namespace === "default" && request.round === 0 && request.forms.length > 0',
    'request.user.username.length > 0 && request.operation === "CREATE" && request.options.kind === "CreateOptions"',
    '(await request.shownAs(object, request.forms[0])).data.plain === "x"',
  ];
  const meddle = `${checks.map((check) => `if (!(${check})) throw new Error(${JSON.stringify(check)});`).join(' ')} request.warn("fine");`;
  const made = await client.post(maps, {metadata: {name: 'c'}, data: {plain: 'x', meddle, ['__proto__']: 'y'}});
  t.is(made.status, 201, made.body.toString());
  t.is(made.headers['warning'], '299 - "fine"');
});

test('without --strict-admission objects are not copied for validate', async (t) => {
  const {client} = await start(t, {strictAdmission: false});
  t.is((await client.post(maps, {metadata: {name: 'c'}, data: {meddle: `${strict}object.data.more = "x"`}})).status, 201);
});
