import {dns1035LabelFaults, qualifiedNameFaults} from '../../../../sdk/index.js';
import type {Json} from './definition-fixture.js';

export const root = 'spec.validation.openAPIV3Schema';
export const spec = `${root}.properties[spec]`;
export const text = {type: 'string'};

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
export const member = (schema: Json) => ({type: 'object', properties: {a: schema}});
const list = (more: Json) => member({type: 'array', ...more});
const a = '.properties[a]';

/** What a schema may not hold, each with the faults that tell it. */
export const schemaRuleCases: readonly Case[] = [
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
  {
    title: 'null is no type',
    schema: member({type: 'null'}),
    faults: [
      `${a}.type: Forbidden: type cannot be set to null, use nullable as an alternative`,
      `${a}.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    ],
  },
  {
    title: 'a type is a known one',
    schema: member({type: 'text'}),
    faults: [`${a}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`],
  },
  {
    title: 'properties and additional properties exclude each other',
    schema: {
      type: 'object',
      properties: {
        a: {...member(text), additionalProperties: text},
        b: {type: 'object', additionalProperties: false},
        c: {...member(text), additionalProperties: false},
      },
    },
    faults: [
      `${a}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
      '.properties[c].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
  },
  {
    title: 'additional properties that are simply allowed may stand beside properties',
    schema: member({...member(text), additionalProperties: true}),
    faults: [],
  },
  {
    title: 'every place has a type [B-REM-25]',
    schema: {
      type: 'object',
      properties: {a: {}, b: {type: 'array', items: {}}, c: {type: 'object', additionalProperties: {}}, d: {type: 'array'}},
    },
    faults: [
      `${a}.type: Required value: must not be empty for specified object fields`,
      '.properties[b].items.type: Required value: must not be empty for specified array items',
      '.properties[c].additionalProperties.type: Required value: must not be empty for specified object fields',
      '.properties[d].items: Required value: must be specified',
    ],
  },
  {
    title: 'integers or texts are nothing else',
    schema: member({
      type: 'integer',
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-embedded-resource': true,
    }),
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
    schema: {
      type: 'object',
      properties: {
        a: {'x-kubernetes-embedded-resource': true},
        b: {type: 'array', items: text, 'x-kubernetes-embedded-resource': true},
        c: {type: 'object', 'x-kubernetes-embedded-resource': true},
      },
    },
    faults: [
      `${a}.type: Required value: must be object if x-kubernetes-embedded-resource is true`,
      `${a}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
      '.properties[b].type: Invalid value: "array": must be object if x-kubernetes-embedded-resource is true',
      '.properties[b].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      '.properties[c].properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
  },
  {
    title: 'compositions add no structure',
    schema: {
      ...member(text),
      anyOf: [
        {
          type: 'object',
          description: 'd',
          title: 't',
          nullable: true,
          default: {},
          additionalProperties: text,
          properties: {a: {'x-kubernetes-preserve-unknown-fields': true}},
        },
      ],
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
    title: 'patterns can be read',
    schema: member({type: 'string', pattern: '(?=a)'}),
    faults: [
      `${a}.pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: \`(?=\``,
    ],
  },
  {
    title: 'a list type is one of three [A-CRD-90]',
    schema: list({items: text, 'x-kubernetes-list-type': 'bag'}),
    faults: [`${a}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`],
  },
  {
    title: 'only lists have a list type, only objects a map type [A-CRD-97]',
    schema: {
      type: 'object',
      properties: {
        a: {type: 'string', 'x-kubernetes-list-type': 'set'},
        b: {type: 'string', 'x-kubernetes-map-type': 'atomic'},
        c: {type: 'object', 'x-kubernetes-map-type': 'loose'},
      },
    },
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
      '.properties[b].items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
    ],
  },
  {
    title: 'keys of a list are scalar members that are required or have a default, each once [A-CRD-95] [A-CRD-96]',
    schema: list({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['good', 'kept', 'good', 'list', 'loose', 'nil', 'nobody'],
      items: {
        type: 'object',
        required: ['good', 'list', 'nil'],
        properties: {
          good: text,
          kept: {type: 'string', default: ''},
          list: {type: 'array', items: text},
          loose: text,
          nil: {type: 'string', nullable: true},
        },
      },
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
        b: {
          type: 'array',
          items: {type: 'array', items: text, 'x-kubernetes-list-type': 'set', nullable: true},
          'x-kubernetes-list-type': 'set',
        },
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
    faults: [
      `${a}.items: Forbidden: items must be a schema object and not an array`,
      `${a}.items: Invalid value: [{"type":"string"}]: must only have a single schema if x-kubernetes-list-type is map`,
    ],
  },
  {
    title: 'the dialect of a schema is not supported',
    schema: member({...text, $schema: 'http://json-schema.org/draft-04/schema#'}),
    faults: [`ROOT: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`],
  },
  {
    title: 'there is no resource inside the metadata of another one',
    schema: member({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: {
        metadata: {
          type: 'object',
          properties: {x: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true}},
        },
      },
    }),
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
      '.properties[b].default.metadata.name: Invalid value: "x/y": may not contain \'/\'',
      `.properties[b].default.metadata.labels: Invalid value: "-": ${qualifiedName}`,
      '.properties[c].default[0].kind: Invalid value: "": must not be empty',
    ],
  },
  {
    title: 'defaults inside the metadata of a resource make good metadata',
    schema: {
      type: 'object',
      properties: {
        a: {
          ...resource,
          properties: {
            metadata: {type: 'object', properties: {name: {type: 'string', default: 'x/y'}}},
            kind: {type: 'string', default: 'Pod'},
          },
        },
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
      '.properties[a].default: Invalid value: "integer":  in body must be of type string: "integer"',
      '.properties[b].default: Invalid value: map[string]interface {}{"x":1, "y":2}: must not have unknown fields',
      '.properties[b].default.x: Invalid value: 1: x in body should be less than or equal to 0',
      '.properties[c].default.[0]: Unsupported value: "q": supported values: "p"',
      '.properties[d].default.e: Required value',
      '.properties[f].default.e: Required value',
    ],
  },
];
