import test from 'ava';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const root = '/apis/node.orch/v1/runtimeclasses';
let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const post = (name: string, content: object) => server.client.post(root, {metadata: {name}, ...content});

test('[B-REM-19] a runtime class is served in node.orch/v1 and not in v1beta1, and PUT may make one', async (t) => {
  const overhead = {podFixed: {memory: '64Mi', cpu: '250m'}};
  const scheduling = {nodeSelector: {runtime: 'kata'}, tolerations: [{key: 'kata', operator: 'Exists', effect: 'NoSchedule'}]};
  const response = await server.client.put(`${root}/kata`, {metadata: {name: 'kata'}, handler: 'kata', overhead, scheduling});
  t.is(response.status, 201, response.body.toString());
  t.like(response.json<ApiObject>(), {handler: 'kata', overhead, scheduling});
  t.deepEqual(await tableRow(server.client, `${root}/kata`), ['kata', 'kata', 'AGE']);
  t.is((await server.client.get('/apis/node.orch/v1beta1/runtimeclasses')).status, 404);
});

const faulty: [content: object, ...faults: RegExp[]][] = [
  [{handler: 'Not.A.Label'}, /^handler: Invalid value: "Not\.A\.Label": a lowercase RFC 1123 label/],
  [{}, /^handler: Invalid value: "": a lowercase RFC 1123 label/],
  [
    {handler: 'a', overhead: {podFixed: {memory: '-1'}}},
    /^overhead\.limits\[memory\]: Invalid value: "-1": must be greater than or equal to 0$/,
  ],
  [
    {handler: 'a', scheduling: {nodeSelector: {'no key!': 'x'}, tolerations: [{operator: 'Equal'}]}},
    /^scheduling\.nodeSelector: Invalid value: "no key!"/,
    /^scheduling\.tolerations\[0\]\.operator: Invalid value: "Equal": operator must be Exists when `key` is empty/,
  ],
  [
    {
      handler: 'a',
      scheduling: {
        tolerations: [
          {key: 'k', operator: 'Exists'},
          {key: 'k', operator: 'Exists'},
        ],
      },
    },
    /^scheduling\.tolerations\[1\]: Duplicate value: /,
  ],
];

for (const [index, [content, ...expected]] of faulty.entries()) {
  test(`a runtime class with ${JSON.stringify(content)} is refused`, async (t) => {
    const faults = causesOf(await post(`faulty-${index}`, content));
    t.is(faults.length, expected.length, faults.join('\n'));
    for (const [position, pattern] of expected.entries()) t.regex(faults[position]!, pattern);
  });
}

test('the handler cannot change', async (t) => {
  await post('fixed', {handler: 'runc'});
  t.deepEqual(causesOf(await server.client.patch(`${root}/fixed`, {handler: 'gvisor'})), [
    'handler: Invalid value: "gvisor": field is immutable',
  ]);
});
