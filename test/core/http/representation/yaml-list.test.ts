import process from 'node:process';
import test from 'ava';
import {encodeYaml} from '../../../../core/api/codec/yaml.js';
import {startTestServer} from '../../../../sdk/testing/index.js';
import {longestTurn} from '../../../helpers/longest-turn.js';

const path = '/api/v1/namespaces/default/configmaps';
const asYaml = {headers: {accept: 'application/yaml'}};

test('a list as YAML is what the list as JSON says, and is made in several turns of the event loop where it is long', async (t) => {
  await using server = await startTestServer();
  const {client} = server;
  const same = async (query: string) => {
    const [yaml, json] = [await client.get(path + query, asYaml), await client.get(path + query)];
    t.is(yaml.status, 200);
    // Controllers write as well: the version of the list may be another one.
    const apartFromVersion = (text: string) => text.replaceAll(/^  (?:resourceVersion|continue): .*$/gm, '');
    t.is(apartFromVersion(yaml.body.toString()), apartFromVersion(encodeYaml(json.json<object>())), query);
  };
  await same('');
  const lines = Array.from({length: 200}, (_, index) => `- key ${index}: 'quoted'`).join('\n');
  for (let index = 0; index < 150; index++)
    await client.post(path, {metadata: {name: `c${index}`}, data: {lines, number: '1', empty: '', dashes: '---'}});
  await same('');
  await same('?limit=1');
  await same('?labelSelector=none');

  const before = process.threadCpuUsage();
  const {longestMillis} = await longestTurn(() => client.get(path, asYaml));
  const {user, system} = process.threadCpuUsage(before);
  const part = longestMillis / ((user + system) / 1000);
  t.true(part < 0.5, `${(part * 100).toFixed(0)} % of the time in one turn`);
});
