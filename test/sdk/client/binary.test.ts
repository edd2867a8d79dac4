import test from 'ava';
import {Client, decodeEnvelope, types} from '../../../sdk/client/index.js';
import {seededRandom} from '../../helpers/config-map-writers.js';
import {scriptedServer} from '../../helpers/scripted-server.js';
import {fileServer, ownMaps} from './client-server.js';

const server = fileServer();

test('a binary response of a real server is taken out of its envelope', async (t) => {
  const maps = await ownMaps(server().api);
  await maps.create({metadata: {name: 'one'}, data: {greeting: 'hello there'}});
  const envelope = await maps.getBinary('one');
  t.like(envelope, {apiVersion: 'v1', kind: 'ConfigMap', contentEncoding: '', contentType: ''});
  t.true(envelope.raw.includes('hello there'));
});

test('a type without binary form is refused by the server with 406', async (t) => {
  const {api} = server();
  const extension = {
    metadata: {name: 'plains.client.example.com'},
    spec: {
      group: 'client.example.com',
      scope: 'Cluster',
      names: {plural: 'plains', kind: 'Plain'},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
    },
  };
  await api.resource(types.apiextensions.v1.CustomResourceDefinition).create(extension);
  const plains = api.resource({group: 'client.example.com', version: 'v1', resource: 'plains', kind: 'Plain', namespaced: false});
  await plains.create({metadata: {name: 'one'}});
  t.like(await t.throwsAsync(plains.getBinary('one')), {code: 406});
});

test('a response whose first four bytes are others is rejected [A-PROTO-6]', async (t) => {
  const maps = await ownMaps(server().api);
  await maps.create({metadata: {name: 'one'}});
  const {body} = await server().api.request({
    method: 'GET',
    path: `/api/v1/namespaces/${maps.namespace}/configmaps/one`,
    headers: {accept: 'application/vnd.orch.protobuf'},
  });
  t.is(decodeEnvelope(body).kind, 'ConfigMap');
  for (let place = 0; place < 4; place++) {
    const changed = Buffer.from(body);
    changed[place]! ^= 1;
    const other = await scriptedServer(t, (_request, response) => response.end(changed));
    using client = new Client({server: other.url});
    await t.throwsAsync(client.resource(types.core.v1.ConfigMap, 'default').getBinary('one'), {
      message: /is not a binary object: it starts with the bytes [0-9a-f]{8} instead of 6b387300/,
    });
  }
  t.throws(() => decodeEnvelope(Buffer.alloc(0)), {message: /not a binary object/});
  t.throws(() => decodeEnvelope(Buffer.from('k8s')), {message: /not a binary object/});
});

test('an envelope that ends early or is full of chance is an error, never a wrong object', (t) => {
  const seed = 20_261_120;
  const random = seededRandom(seed);
  const prefix = Buffer.from([0x6b, 0x38, 0x73, 0]);
  const whole = Buffer.concat([prefix, Buffer.from('0a060a0276311200120361626322002a00', 'hex')]);
  t.is(decodeEnvelope(whole).raw.toString(), 'abc');
  for (let end = 5; end < whole.length; end++) {
    try {
      t.true('abc'.startsWith(decodeEnvelope(whole.subarray(0, end)).raw.toString()));
    } catch (error) {
      t.regex((error as Error).message, /binary object/);
    }
  }
  for (let round = 0; round < 2000; round++) {
    const bytes = Buffer.from(Array.from({length: Math.floor(random() * 24)}, () => Math.floor(random() * 256)));
    try {
      decodeEnvelope(Buffer.concat([prefix, bytes]));
    } catch (error) {
      t.regex((error as Error).message, /^the binary object/, `seed ${seed}, round ${round}`);
    }
  }
});
