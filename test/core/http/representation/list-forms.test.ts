import process from 'node:process';
import test, {type ExecutionContext} from 'ava';
import {encodePretty} from '../../../../core/api/codec/json.js';
import {encodeYaml} from '../../../../core/api/codec/yaml.js';
import {startTestServer} from '@orch-api/orch/testing';
import {longestTurn} from '../../../helpers/longest-turn.js';

const path = '/api/v1/namespaces/default/configmaps';
const accept = (type: string) => ({headers: {accept: type}});
const asTable = ';as=Table;g=meta.orch;v=v1';
const asMetadata = ';as=PartialObjectMetadataList;g=meta.orch;v=v1';
type Server = Awaited<ReturnType<typeof startTestServer>>;

// Controllers write as well: the version of the list may be another one. Ages grow.
const apartFromVersion = (yaml: string) => yaml.replaceAll(/^  (?:resourceVersion|continue): .*$/gm, '').replaceAll(/\b\d+s\b/g, 'age');

/** Whatever the form, a list says what it says as JSON. */
async function same(t: ExecutionContext, {client}: Server, query: string): Promise<void> {
  const read = async (type: string, more = '') => {
    const response = await client.get(path + query + more, accept(type));
    t.is(response.status, 200);
    return response.body.toString();
  };
  for (const form of ['', asTable, asMetadata]) {
    const expected = apartFromVersion(encodeYaml(JSON.parse(await read(`application/json${form}`))));
    const pretty = await read(`application/json${form}`, query === '' ? '?pretty=true' : '&pretty=true');
    t.is(encodePretty(JSON.parse(pretty)), pretty, form);
    t.is(apartFromVersion(encodeYaml(JSON.parse(pretty))), expected, form);
    t.is(apartFromVersion(await read(`application/yaml${form}`)), expected, form);
  }
}

test('a list says the same in all forms, and is made in several turns of the event loop where it is long', async (t) => {
  await using server = await startTestServer();
  const {client} = server;
  await same(t, server, '');
  const lines = Array.from({length: 200}, (_, index) => `- key ${index}: 'quoted'`).join('\n');
  const data = {
    lines,
    number: '1',
    empty: '',
    dashes: '---',
    ...Object.fromEntries(Array.from({length: 300}, (_, key) => [`key-${key}`, 'x'])),
  };
  for (let index = 0; index < 150; index++) await client.post(path, {metadata: {name: `c${index}`}, data});
  await same(t, server, '');
  await same(t, server, '?limit=1');
  await same(t, server, '?labelSelector=none');

  for (const type of ['application/yaml', `application/json${asTable}`, 'application/vnd.orch.protobuf']) {
    // The whole object in each row: with its metadata alone the table is made in a moment.
    const query = type.includes('Table') ? '?includeObject=Object' : '';
    await client.get(path + query, accept(type));
    const before = process.threadCpuUsage();
    const {longestMillis} = await longestTurn(async () => {
      for (let round = 0; round < 5; round += 1) await client.get(path + query, accept(type));
    });
    const {user, system} = process.threadCpuUsage(before);
    const share = (longestMillis * 5) / ((user + system) / 1000);
    t.true(share < 0.75, `${type}: ${(share * 100).toFixed(0)} % of the time in one turn`);
  }
});
