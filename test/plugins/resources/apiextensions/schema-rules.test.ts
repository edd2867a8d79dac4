import {dns1035LabelFaults, qualifiedNameFaults} from '../../../../sdk/index.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {definition, definitionsPath, faultsOf, freshGroup, withSpec, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore();
const root = 'spec.validation.openAPIV3Schema';
const spec = `${root}.properties[spec]`;
const text = {type: 'string'};

interface Case {
  readonly title: string;
  /** The schema of `spec`. */
  readonly schema: Json;
  /** Paths begin behind that of the schema of `spec`. */
  readonly faults: readonly string[];
}

const resource = {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true};
const label = dns1035LabelFaults('k_')[0]!;
const qualifiedName = qualifiedNameFaults('-')[0]!;
const member = (schema: Json) => ({type: 'object', properties: {a: schema}});
const list = (more: Json) => member({type: 'array', ...more});
const a = '.properties[a]';

const cases: readonly Case[] = [
  {
    title: 'all forbidden keywords are named at once [A-CRD-86]',
    schema: member({
      type: 'array',
      items: [text],
      id: 'x',
      $ref: '#/x',
      uniqueItems: true,
      additionalItems: true,
      patternProperties: {'^a': text},
      definitions: {b: text},
      dependencies: {a: ['b']},
      'x-kubernetes-preserve-unknown-fields': false,
    }),
    faults: [
      `${a}.id: Forbidden: id is not supported`,
      `${a}.additionalItems: Forbidden: additionalItems is not supported`,
      `${a}.patternProperties: Forbidden: patternProperties is not supported`,
      `${a}.definitions: Forbidden: definitions is not supported`,
      `${a}.dependencies: Forbidden: dependencies is not supported`,
      `${a}.$ref: Forbidden: $ref is not supported`,
      `${a}.items: Forbidden: items must be a schema object and not an array`,
      `${a}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
      `${a}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
    ],
  },
  {title: 'null is no type', schema: member({type: 'null'}), faults: [`${a}.type: Forbidden: type cannot be set to null, use nullable as an alternative`, `${a}.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`]},
  {title: 'a type is a known one', schema: member({type: 'text'}), faults: [`${a}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`]},
  {
    title: 'properties and additional properties exclude each other, and these are never false',
    schema: {type: 'object', properties: {a: {...member(text), additionalProperties: text}, b: {type: 'object', additionalProperties: false}, c: {...member(text), additionalProperties: false}}},
    faults: [
      `${a}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
      '.properties[b].additionalProperties: Forbidden: additionalProperties cannot be set to false',
      '.properties[c].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
  },
  {title: 'additional properties that are simply allowed may stand beside properties', schema: member({...member(text), additionalProperties: true}), faults: []},
  {
    title: 'every place has a type [B-REM-25]',
    schema: {type: 'object', properties: {a: {}, b: {type: 'array', items: {}}, c: {type: 'object', additionalProperties: {}}, d: {type: 'array'}}},
    faults: [
      `${a}.type: Required value: must not be empty for specified object fields`,
      '.properties[b].items.type: Required value: must not be empty for specified array items',
      '.properties[c].additionalProperties.type: Required value: must not be empty for specified object fields',
      '.properties[d].items: Required value: must be specified',
    ],
  },
  {
    title: 'integers or texts are nothing else',
    schema: member({type: 'integer', 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true}),
    faults: [
      `${a}.type: Invalid value: "integer": must be object if x-kubernetes-embedded-resource is true`,
      `${a}.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
      `${a}.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
    ],
  },
  {
    title: 'integers or texts may say so twice',
    schema: {
      type: 'object',
      properties: {
        a: {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}]},
        b: {'x-kubernetes-int-or-string': true, allOf: [{anyOf: [{type: 'integer'}, {type: 'string'}]}, {pattern: 'x'}]},
        c: {type: 'integer', 'x-kubernetes-int-or-string': true},
        d: {'x-kubernetes-preserve-unknown-fields': true, anyOf: [{type: 'integer'}, {type: 'string'}]},
      },
    },
    faults: [],
  },
  {
    title: 'an embedded resource is an object with known members or none [A-CRD-87]',
    schema: {type: 'object', properties: {a: {'x-kubernetes-embedded-resource': true}, b: {type: 'array', items: text, 'x-kubernetes-embedded-resource': true}, c: {type: 'object', 'x-kubernetes-embedded-resource': true}}},
    faults: [
      `${a}.type: Required value: must be object if x-kubernetes-embedded-resource is true`,
      `${a}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      '.properties[b].type: Invalid value: "array": must be object if x-kubernetes-embedded-resource is true',
      '.properties[b].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      '.properties[c].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
  },
  {
    title: 'junctors add no structure',
    schema: {
      ...member(text),
      anyOf: [{type: 'object', description: 'd', title: 't', nullable: true, default: {}, additionalProperties: text, properties: {a: {'x-kubernetes-preserve-unknown-fields': true}}}],
    },
    faults: [
      '.anyOf[0].properties[a].x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural',
      '.anyOf[0].type: Forbidden: must be empty to be structural',
      '.anyOf[0].additionalProperties: Forbidden: must be undefined to be structural',
      '.anyOf[0].default: Forbidden: must be undefined to be structural',
      '.anyOf[0].title: Forbidden: must be empty to be structural',
      '.anyOf[0].description: Forbidden: must be empty to be structural',
      '.anyOf[0].nullable: Forbidden: must be false to be structural',
      '.anyOf[0].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
  },
  {
    title: 'what junctors speak of is described outside',
    schema: {type: 'object', properties: {a: text, l: {type: 'array', items: text}}, oneOf: [{required: ['a']}, {properties: {b: {minLength: 1}}}], not: {properties: {l: {items: {properties: {c: {minLength: 1}}}}}}},
    faults: [
      '.properties[b]: Required value: because it is defined in SPEC.oneOf[1].properties[b]',
      '.properties[l].items.properties[c]: Required value: because it is defined in SPEC.not.properties[l].items.properties[c]',
    ],
  },
  {title: 'patterns can be read', schema: member({type: 'string', pattern: '(?=a)'}), faults: [`${a}.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``]},
  {title: 'a list type is one of three [A-CRD-90]', schema: list({items: text, 'x-kubernetes-list-type': 'bag'}), faults: [`${a}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "map", "set"`]},
  {
    title: 'only lists have a list type, only objects a map type [A-CRD-97]',
    schema: {type: 'object', properties: {a: {type: 'string', 'x-kubernetes-list-type': 'set'}, b: {type: 'string', 'x-kubernetes-map-type': 'atomic'}, c: {type: 'object', 'x-kubernetes-map-type': 'loose'}}},
    faults: [
      `${a}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
      '.properties[b].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
      '.properties[c].x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"',
    ],
  },
  {
    title: 'keys are for lists of type map only [A-CRD-94]',
    schema: {
      type: 'object',
      properties: {
        a: {type: 'array', items: member(text), 'x-kubernetes-list-map-keys': ['a']},
        b: {type: 'array', items: text, 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['a']},
      },
    },
    faults: [
      `${a}.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`,
      '.properties[b].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
    ],
  },
  {
    title: 'a list of type map has items with the keys',
    schema: {
      type: 'object',
      properties: {
        a: {type: 'array', items: member(text), 'x-kubernetes-list-type': 'map'},
        b: {type: 'array', items: text, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a']},
      },
    },
    faults: [
      `${a}.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
      ".properties[b].items.type: Invalid value: \"string\": must be object if parent array's x-kubernetes-list-type is map",
    ],
  },
  {
    title: 'keys of a list are scalar members that are required or have a default, each once [A-CRD-95] [A-CRD-96]',
    schema: list({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['good', 'kept', 'good', 'list', 'loose', 'nil', 'nobody'],
      items: {type: 'object', required: ['good', 'list', 'nil'], properties: {good: text, kept: {type: 'string', default: ''}, list: {type: 'array', items: text}, loose: text, nil: {type: 'string', nullable: true}}},
    }),
    faults: [
      `${a}.x-kubernetes-list-map-keys: Invalid value: ["good","kept","good","list","loose","nil","nobody"]: must not contain duplicate entries`,
      `${a}.items.properties[list].type: Invalid value: "array": must be a scalar type if parent array's x-kubernetes-list-type is map`,
      `${a}.items.properties[loose].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
      `${a}.items.properties[nil].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
      `${a}.x-kubernetes-list-map-keys: Invalid value: ["good","kept","good","list","loose","nil","nobody"]: entries must all be names of item properties`,
    ],
  },
  {
    title: 'items of a set are whole and not null',
    schema: {
      type: 'object',
      properties: {
        a: {type: 'array', items: member(text), 'x-kubernetes-list-type': 'set'},
        b: {type: 'array', items: {type: 'array', items: text, 'x-kubernetes-list-type': 'set', nullable: true}, 'x-kubernetes-list-type': 'set'},
      },
    },
    faults: [
      `${a}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
      '.properties[b].items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
      '.properties[b].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set',
    ],
  },
  {
    title: 'a list of schemas cannot describe the items of a list of type map',
    schema: list({'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: [text]}),
    faults: [`${a}.items: Forbidden: items must be a schema object and not an array`, `${a}.items: Invalid value: [{"type":"string"}]: must only have a single schema if x-kubernetes-list-type is map`],
  },
  {title: 'the dialect of a schema is not supported', schema: member({...text, $schema: 'http://json-schema.org/draft-04/schema#'}), faults: [`ROOT: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`]},
  {
    title: 'there is no resource inside the metadata of another one',
    schema: member({type: 'object', 'x-kubernetes-embedded-resource': true, properties: {metadata: {type: 'object', properties: {x: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true}}}}}),
    faults: [`${a}.properties[metadata].properties[x].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta`],
  },
  {
    title: 'a default that is a resource says what it is',
    schema: {
      type: 'object',
      properties: {
        a: {...resource, default: {}},
        b: {...resource, default: {apiVersion: 'a/b/c', kind: 'K_', metadata: {name: 'x/y', labels: {'-': 'ok'}}}},
        c: {type: 'array', items: resource, default: [{apiVersion: 'v1', kind: ''}]},
        d: {...resource, default: {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'fine'}, anything: 1}},
      },
    },
    faults: [
      `${a}.default.apiVersion: Required value: must not be empty`,
      `${a}.default.kind: Required value: must not be empty`,
      '.properties[b].default.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      `.properties[b].default.kind: Invalid value: "K_": may have mixed case, but should otherwise match: ${label}`,
      ".properties[b].default.metadata.name: Invalid value: \"x/y\": may not contain '/'",
      `.properties[b].default.metadata.labels: Invalid value: "-": ${qualifiedName}`,
      '.properties[c].default[0].kind: Invalid value: "": must not be empty',
    ],
  },
  {
    title: 'defaults inside the metadata of a resource make good metadata',
    schema: {
      type: 'object',
      properties: {
        a: {...resource, properties: {metadata: {type: 'object', properties: {name: {type: 'string', default: 'x/y'}}}, kind: {type: 'string', default: 'Pod'}}},
        b: {...resource, properties: {apiVersion: {type: 'string', default: 'a/b/c'}, metadata: {type: 'object', default: {labels: 5}}}},
      },
    },
    faults: [
      `${a}.properties[metadata].properties[name].default: Invalid value: "x/y": must result in valid metadata: metadata.name: Invalid value: "x/y": may not contain '/'`,
      '.properties[b].properties[apiVersion].default: Invalid value: "a/b/c": must result in valid metadata: apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      '.properties[b].properties[metadata].default: Invalid value: {"labels":5}: must result in valid metadata: metadata.labels: Invalid value: "integer": metadata.labels in body must be of type object: "integer"',
    ],
  },
  {
    title: 'defaults are of the right type, pruned and good',
    schema: {
      type: 'object',
      properties: {
        a: {type: 'string', default: 1},
        b: {type: 'object', default: {x: 1, y: 2}, properties: {x: {type: 'integer', maximum: 0}}},
        c: {type: 'array', items: {type: 'string', enum: ['p']}, default: ['q']},
        d: {type: 'object', default: {}, required: ['e'], properties: {e: {type: 'integer', default: 3}}},
        f: {type: 'object', default: {}, required: ['e'], properties: {e: {type: 'integer'}}},
      },
    },
    faults: [
      '.properties[a].default: Invalid value: "integer": SPEC.properties[a].default in body must be of type string: "integer"',
      '.properties[b].default: Invalid value: {"x":1,"y":2}: must not have unknown fields',
      '.properties[b].default.x: Invalid value: 1: SPEC.properties[b].default.x in body should be less than or equal to 0',
      '.properties[c].default[0]: Unsupported value: "q": supported values: "p"',
      '.properties[f].default.e: Required value',
    ],
  },
];

for (const {title, schema, faults} of cases) {
  storeTest(title, async (t, {client}) => {
    const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), schema));
    const expected = faults.map((fault) => (fault.startsWith('ROOT') ? fault.replace('ROOT', root) : spec + fault.replaceAll('SPEC', spec)));
    t.deepEqual(faultsOf(response).sort(), expected.sort());
  });
}

storeTest('the root is an object, and says of metadata only how names look', async (t, {client}) => {
  const post = async (schema: Json) => faultsOf(await client.post(`${definitionsPath}?dryRun=All`, definition(freshGroup(), [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}])));
  t.deepEqual(await post({properties: {}}), [`${root}.type: Required value: must not be empty at the root`]);
  t.deepEqual(await post({type: 'array', items: text}), [`${root}.type: Invalid value: "array": must be object at the root`]);
  t.deepEqual(await post({type: 'object', additionalProperties: text}), [`${root}.additionalProperties: Forbidden: must not be used at the root`]);
  t.deepEqual(await post({type: 'object', properties: {metadata: member({type: 'string'}), kind: {type: 'integer'}, apiVersion: {type: 'string', default: 'v1'}}}), [
    `${root}.properties[apiVersion].default: Forbidden: must not be set in top-level apiVersion`,
    `${root}.properties[kind].type: Invalid value: "integer": must be string`,
    `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
  ]);
  t.deepEqual(await post({type: 'object', properties: {metadata: {type: 'object', description: 'names'}}}), [
    `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
  ]);
  t.deepEqual(await post({type: 'object', properties: {metadata: {type: 'object', properties: {name: {type: 'string', maxLength: 9}}}}}), []);
});

const known = [
  '$ref', '$schema', 'additionalItems', 'additionalProperties', 'allOf', 'anyOf', 'default', 'definitions', 'dependencies', 'description', 'enum', 'example',
  'exclusiveMaximum', 'exclusiveMinimum', 'externalDocs', 'format', 'id', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minItems', 'minLength',
  'minProperties', 'minimum', 'multipleOf', 'not', 'nullable', 'oneOf', 'pattern', 'patternProperties', 'properties', 'required', 'title', 'type', 'uniqueItems',
];
const samples: Json = {
  additionalItems: true, additionalProperties: true, allOf: [], anyOf: [], default: {}, definitions: {}, dependencies: {}, enum: [], example: {}, exclusiveMaximum: true,
  exclusiveMinimum: true, externalDocs: {url: 'u', description: 'd'}, items: {}, maxItems: 1, maxLength: 1, maxProperties: 1, maximum: 1, minItems: 1, minLength: 1, minProperties: 1,
  minimum: 1, multipleOf: 1, not: {}, nullable: true, oneOf: [], patternProperties: {}, properties: {}, required: [], uniqueItems: true,
};

storeTest('every keyword of JSON schemas is known, others are unknown fields [A-CRD-58] [A-CRD-59]', async (t, {client}) => {
  const schema = Object.fromEntries(known.map((name) => [name, samples[name] ?? 'x']));
  const post = (extra: Json) => client.post(`${definitionsPath}?dryRun=All&fieldValidation=Strict`, withSpec(freshGroup(), {...schema, ...extra}));
  t.not((await post({})).status, 400);
  const unknown = await post({discriminator: 'x', readOnly: true});
  t.is(unknown.status, 400);
  for (const name of ['discriminator', 'readOnly']) t.true(unknown.body.includes(`unknown field \\"spec.versions[0].schema.openAPIV3Schema.properties.spec.${name}\\"`), name);
});

storeTest('validation rules have a rule, and messages of one line [A-CRD-102] [A-CRD-104]', async (t, {start}) => {
  const {client} = await start({featureGates: {CustomResourceValidationExpressions: true}});
  const rules = [{rule: ' '}, {rule: 'true\n&& true'}, {rule: 'true', message: 'a\nb'}, {rule: 'true', message: ' '}, {rule: 'true', reason: 'Whim'}, {rule: 'true\n|| true', message: 'fine'}];
  const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), {type: 'object', 'x-kubernetes-validations': rules}));
  const at = (position: number) => `${spec}.x-kubernetes-validations[${position}]`;
  t.deepEqual(faultsOf(response), [
    `${at(0)}.rule: Required value: rule is not specified`,
    `${at(1)}.message: Required value: message must be specified if rule contains line breaks`,
    `${at(2)}.message: Invalid value: "a\\nb": message must not contain line breaks`,
    `${at(3)}.message: Invalid value: " ": message must be non-empty if specified`,
    `${at(4)}.reason: Unsupported value: "Whim": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
  ]);
});
