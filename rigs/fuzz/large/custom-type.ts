/** A custom type with lists and maps of all kinds, to be made large as those of built-in types are. */
const text = {type: 'string'};
const item = {
  type: 'object',
  required: ['name'],
  properties: {name: text, port: {type: 'integer', default: 1}, note: {...text, maxLength: 20}},
};

export const customSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        atomic: {type: 'array', items: item},
        named: {type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'port']},
        set: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
        numbers: {type: 'array', items: {type: 'integer', minimum: 0}},
        nested: {type: 'array', items: {type: 'array', items: {type: 'array', items: text}}},
        map: {type: 'object', additionalProperties: text},
        objects: {type: 'object', additionalProperties: item},
        free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
        choice: {type: 'array', items: {type: 'object', properties: {a: text, b: text}, oneOf: [{required: ['a']}, {required: ['b']}]}},
        pattern: {...text, pattern: '^(a|b)*c?$'},
        format: {...text, format: 'date-time'},
        either: {type: 'array', items: {'x-kubernetes-int-or-string': true}},
        ruled: {
          type: 'array',
          maxItems: 1000,
          items: {...text, maxLength: 100},
          'x-kubernetes-validations': [{rule: 'self.all(item, item != "bad")'}],
        },
      },
    },
    status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  },
};

const group = 'large.example';

export const customDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: `giants.${group}`},
  spec: {
    group,
    scope: 'Namespaced',
    names: {plural: 'giants', kind: 'Giant'},
    versions: [{name: 'v1', served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: customSchema}}],
  },
};

export const customBase = {
  collection: `/apis/${group}/v1/namespaces/kinds/giants`,
  object: {apiVersion: `${group}/v1`, kind: 'Giant', metadata: {name: 'one'}, spec: {}},
};
