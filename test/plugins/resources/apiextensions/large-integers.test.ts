import {testOnEachStore} from '../../../helpers/each-store.js';
import {until} from '../../../helpers/eventually.js';
import {awaitCondition, definition, definitionsPath, faultsOf, freshGroup, version} from './definition-fixture.js';

const storeTest = testOnEachStore({featureGates: {CustomResourceValidationExpressions: true}});

/** JSON with integers that no double is equal to. */
const schemaText = `{"type":"object","properties":{
  "bounded":{"type":"integer","minimum":-9223372036854775808,"maximum":9007199254740993},
  "chosen":{"type":"integer","enum":[9007199254740993,1]},
  "filled":{"type":"integer","default":9007199254740993},
  "even":{"type":"integer","multipleOf":9007199254740993},
  "text":{"type":"string","maxLength":9223372036854775807,"x-kubernetes-validations":[{"rule":"self != 'no'"}]},
  "list":{"type":"array","maxItems":9223372036854775807,"items":{"type":"string"}}}}`;

storeTest('integers beyond 2^53 in a schema keep their value and do not keep a definition from being served', async (t, {client, path}) => {
  const group = freshGroup();
  const body = JSON.stringify(definition(group, [version({})])).replace('"spec":{}', `"spec":${schemaText}`);
  const made = await client.post(definitionsPath, body);
  t.is(made.status, 201, made.body.toString());
  await awaitCondition(client, `widgets.${group}`, 'Established', 'True');
  t.regex((await client.get(`${definitionsPath}/widgets.${group}`)).body.toString(), /"enum":\[9007199254740993,1\]/);
  const collection = path('widgets', `${group}/v1`);
  const create = (name: string, spec: string) =>
    client.post(collection, `{"apiVersion":"${group}/v1","kind":"Widget","metadata":{"name":"${name}"},"spec":${spec}}`);
  const good = await create(
    'good',
    '{"bounded":9007199254740993,"chosen":9007199254740993,"even":18014398509481986,"text":"yes","list":["a"]}',
  );
  t.is(good.status, 201, good.body.toString());
  t.regex(good.body.toString(), /"filled":9007199254740993/);
  t.regex(faultsOf(await create('above', '{"bounded":9007199254740994}'))[0]!, /^spec\.bounded: .*less than or equal to 9007199254740993/);
  t.regex(faultsOf(await create('other', '{"chosen":9007199254740992}'))[0]!, /supported values: "9007199254740993", "1"/);
  t.regex(faultsOf(await create('odd', '{"even":9007199254740994}'))[0]!, /multiple of 9007199254740993/);
  t.regex(faultsOf(await create('no', '{"text":"no"}'))[0]!, /^spec\.text: .*failed rule/);
  const document = await until('the document', async () => {
    const response = await client.get(`/openapi/v3/apis/${group}/v1`);
    return response.status === 200 && response.body.toString();
  });
  t.regex(document, /"maxLength":9223372036854775807/);
  t.is((await client.delete(`${definitionsPath}/widgets.${group}`)).status, 200);
  await until('the end', async () => (await client.get(`${definitionsPath}/widgets.${group}`)).status === 404);
});
