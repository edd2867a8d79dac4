import {testOnEachStore} from '../../../helpers/each-store.js';
import {definition, definitionsPath, faultsOf, freshGroup, withSpec, type Json} from './definition-fixture.js';
import {member, root, schemaRuleCases, spec, text} from './schema-rule-cases.js';

const storeTest = testOnEachStore();

for (const {title, schema, faults} of schemaRuleCases) {
  storeTest(title, async (t, {client}) => {
    const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), schema));
    const expected = faults.map((fault) =>
      fault.startsWith('ROOT') ? fault.replace('ROOT', root) : spec + fault.replaceAll('SPEC', spec),
    );
    t.deepEqual(faultsOf(response).sort(), expected.sort());
  });
}

storeTest('the root is an object, and says of metadata only how names look', async (t, {client}) => {
  const post = async (schema: Json) =>
    faultsOf(
      await client.post(
        `${definitionsPath}?dryRun=All`,
        definition(freshGroup(), [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}]),
      ),
    );
  t.deepEqual(await post({properties: {}}), [`${root}.type: Required value: must not be empty at the root`]);
  t.deepEqual(await post({type: 'array', items: text}), [`${root}.type: Invalid value: "array": must be object at the root`]);
  t.deepEqual(await post({type: 'object', additionalProperties: text}), [
    `${root}.additionalProperties: Forbidden: must not be used at the root`,
  ]);
  t.deepEqual(
    await post({
      type: 'object',
      properties: {metadata: member({type: 'string'}), kind: {type: 'integer'}, apiVersion: {type: 'string', default: 'v1'}},
    }),
    [
      `${root}.properties[apiVersion].default: Forbidden: must not be set in top-level apiVersion`,
      `${root}.properties[kind].type: Invalid value: "integer": must be string`,
      `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
  );
  t.deepEqual(await post({type: 'object', properties: {metadata: {type: 'object', description: 'names'}}}), [
    `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
  ]);
  t.deepEqual(
    await post({type: 'object', properties: {metadata: {type: 'object', properties: {name: {type: 'string', maxLength: 9}}}}}),
    [],
  );
});

const known = [
  '$ref',
  '$schema',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'default',
  'definitions',
  'dependencies',
  'description',
  'enum',
  'example',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'externalDocs',
  'format',
  'id',
  'items',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'not',
  'nullable',
  'oneOf',
  'pattern',
  'patternProperties',
  'properties',
  'required',
  'title',
  'type',
  'uniqueItems',
];
const samples: Json = {
  additionalItems: true,
  additionalProperties: true,
  allOf: [],
  anyOf: [],
  default: {},
  definitions: {},
  dependencies: {},
  enum: [],
  example: {},
  exclusiveMaximum: true,
  exclusiveMinimum: true,
  externalDocs: {url: 'u', description: 'd'},
  items: {},
  maxItems: 1,
  maxLength: 1,
  maxProperties: 1,
  maximum: 1,
  minItems: 1,
  minLength: 1,
  minProperties: 1,
  minimum: 1,
  multipleOf: 1,
  not: {},
  nullable: true,
  oneOf: [],
  patternProperties: {},
  properties: {},
  required: [],
  uniqueItems: true,
};

storeTest('every keyword of JSON schemas is known, others are unknown fields [A-CRD-58] [A-CRD-59]', async (t, {client}) => {
  const schema = Object.fromEntries(known.map((name) => [name, samples[name] ?? 'x']));
  const post = (extra: Json) =>
    client.post(`${definitionsPath}?dryRun=All&fieldValidation=Strict`, withSpec(freshGroup(), {...schema, ...extra}));
  t.not((await post({})).status, 400);
  const unknown = await post({discriminator: 'x', readOnly: true});
  t.is(unknown.status, 400);
  for (const name of ['discriminator', 'readOnly'])
    t.true(unknown.body.includes(`unknown field \\"spec.versions[0].schema.openAPIV3Schema.properties.spec.${name}\\"`), name);
});

storeTest('validation rules have a rule, and messages of one line [A-CRD-102] [A-CRD-104]', async (t, {start}) => {
  const {client} = await start({featureGates: {CustomResourceValidationExpressions: true}});
  const rules = [
    {rule: ' '},
    {rule: 'true\n&& true'},
    {rule: 'true', message: 'a\nb'},
    {rule: 'true', message: ' '},
    {rule: 'true', reason: 'Whim'},
    {rule: 'true\n|| true', message: 'fine'},
  ];
  const response = await client.post(
    `${definitionsPath}?dryRun=All`,
    withSpec(freshGroup(), {type: 'object', 'x-kubernetes-validations': rules}),
  );
  const at = (position: number) => `${spec}.x-kubernetes-validations[${position}]`;
  t.deepEqual(faultsOf(response), [
    `${at(0)}.rule: Required value: rule is not specified`,
    `${at(1)}.message: Required value: message must be specified if rule contains line breaks`,
    `${at(2)}.message: Invalid value: "a\\nb": message must not contain line breaks`,
    `${at(3)}.message: Invalid value: " ": message must be non-empty if specified`,
    `${at(4)}.reason: Unsupported value: "Whim": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
  ]);
});
