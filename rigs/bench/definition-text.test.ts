import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {eventually} from '../../test/helpers/eventually.js';
import {definitionName, definitionText} from './definition-text.js';

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

test('the definitions of the benchmark have the size of real ones, and are the same in every run', (t) => {
  const sizes = Array.from({length: 40}, (_, index) => definitionText(index).length).sort((a, b) => a - b);
  t.true(sizes[0]! >= 25_000 && sizes.at(-1)! <= 65_000, `${sizes[0]} to ${sizes.at(-1)}`);
  t.is(definitionText(7), definitionText(7));
  t.not(definitionText(7).slice(2_000), definitionText(8).slice(2_000));
});

test('the server accepts the definitions of the benchmark and serves their types', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const {client} = server;
  for (let index = 0; index < 5; index++) {
    const created = await client.post(collection, JSON.parse(definitionText(index)));
    t.is(created.status, 201, created.body.toString());
    await eventually(
      async () =>
        (await client.get(`${collection}/${definitionName(index)}`)).json<{status: {conditions?: {type: string; status: string}[]}}>()
          .status.conditions ?? [],
      (conditions) => conditions.some(({type, status}) => type === 'Established' && status === 'True'),
    );
  }
  const [plural, ...group] = definitionName(3).split('.');
  t.is((await client.get(`/apis/${group.join('.')}/v1/${plural}`)).status, 200);
});
