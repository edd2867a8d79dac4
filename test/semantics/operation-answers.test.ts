import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {openBinary, text} from './protobuf-reader.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const pods = '/api/v1/namespaces/default/pods';
const binary = 'application/vnd.orch.protobuf';

for (const [name, accept] of [
  ['bound-binary', binary],
  ['bound-yaml', 'application/yaml'],
  ['bound-json', 'application/json'],
] as const) {
  test(`the Status that an operation answers is one for a client that asks for ${accept}`, async (t) => {
    await server.client.post(pods, {metadata: {name}, spec: {containers: [{name: 'main', image: 'web:1'}]}});
    const response = await server.client.post(
      `${pods}/${name}/binding`,
      {metadata: {name}, target: {kind: 'Node', name: 'n1'}},
      {headers: {accept}},
    );
    t.deepEqual([response.status, response.headers['content-type']], [201, accept]);
    if (accept !== binary) {
      t.regex(response.body.toString(), /"?kind"?: ?"?Status"?/);
      t.regex(response.body.toString(), /"?code"?: ?201/);
      return;
    }
    const {apiVersion, kind, raw} = openBinary(response.body);
    t.deepEqual([apiVersion, kind, text(raw, 2), raw.get(6)], ['v1', 'Status', 'Success', [201n]]);
  });
}
