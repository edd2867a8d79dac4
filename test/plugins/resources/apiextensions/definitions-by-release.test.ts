import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {definition, freshGroup, version, type Json} from './definition-fixture.js';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const selecting = () => ({
  ...definition(freshGroup(), [
    version({type: 'object', properties: {color: {type: 'string'}}}, {selectableFields: [{jsonPath: '.spec.color'}]}),
  ]),
  apiVersion: 'apiextensions.k8s.io/v1',
});

for (const [release, gates, has] of [
  ['1.29', {}, false],
  ['1.30', {}, false],
  ['1.30', {CustomResourceFieldSelectors: true}, true],
  ['1.31', {}, true],
] as const) {
  test(`a definition of ${release} ${has ? 'has' : 'lacks'} selectable fields with the gates ${JSON.stringify(gates)}`, async (t) => {
    const server = await startTestServer({platform: 'kubernetes', release, featureGates: gates});
    t.teardown(() => server.stop());
    const made = await server.client.post(path, selecting());
    t.is(made.status, 201);
    const {versions} = made.json<{spec: {versions: Json[]}}>().spec;
    t.is('selectableFields' in versions[0]!, has);
  });
}

test('a conversion whose webhook says nothing has none', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const sent = selecting();
  const body = {...sent, spec: {...(sent as unknown as {spec: Json}).spec, conversion: {strategy: 'None', webhook: {}}}};
  const made = await server.client.post(path, body);
  t.is(made.status, 201);
  t.deepEqual(made.json<{spec: {conversion: object}}>().spec.conversion, {strategy: 'None'});
});
