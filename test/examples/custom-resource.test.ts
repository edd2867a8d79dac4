import test, {type ExecutionContext} from 'ava';
import type {ApiList, ApiObject, Status} from '@orch-api/orch/sdk';
import {startTestServer, type TestClient} from '@orch-api/orch/testing';
import {eventually} from '../helpers/eventually.js';
import {exampleObjects} from './example-server.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = '/apis/garden.example.com/v1/namespaces/default/plots';

interface Plot extends ApiObject {
  spec: {crop: string; plants: number; litresPerDay: number; helpers?: object[]};
}

/** A server that serves the plots of the README, with these in it. */
async function startWithPlots(t: ExecutionContext): Promise<TestClient> {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const {client} = server;
  for (const definition of exampleObjects('custom-resource', 'plots.crd.yaml')) {
    const {status, body} = await client.post(`${definitions}?fieldValidation=Strict`, definition);
    if (status !== 201) throw new Error(body.toString());
  }
  await eventually(
    async () => (await client.get(path)).status,
    (status) => status === 200,
  );
  for (const plot of exampleObjects('custom-resource', 'plots.yaml'))
    t.is((await client.post(`${path}?fieldValidation=Strict`, plot)).status, 201);
  return client;
}

test('the plots of the README get the defaults of their definition', async (t) => {
  const client = await startWithPlots(t);
  t.deepEqual((await client.get(`${path}/pots`)).json<Plot>().spec, {crop: 'tomatoes', plants: 1, litresPerDay: 2});
  t.deepEqual((await client.get(`${path}/fence`)).json<Plot>().spec.helpers, [
    {name: 'ada', day: 'Sunday'},
    {name: 'ben', day: 'Friday'},
  ]);
  t.deepEqual(
    (await client.get(`${path}?fieldSelector=spec.crop%3Dbeans`)).json<ApiList>().items.map(({metadata}) => metadata.name),
    ['fence'],
  );
});

test('limits and rules of the definition refuse what the README says', async (t) => {
  const client = await startWithPlots(t);
  const refused = (await client.patch(`${path}/fence`, {spec: {crop: 'carrots', plants: 500}})).json<Status>();
  t.deepEqual(
    refused.details?.causes?.map(({field}) => field),
    ['spec.plants', 'spec', 'spec.crop'],
  );
  const scale = (replicas: number) => client.patch(`${path}/pots/scale`, {spec: {replicas}});
  t.regex((await scale(5)).json<Status>().message ?? '', /every plant needs a litre a day/);
  t.is((await scale(2)).status, 200);
});
