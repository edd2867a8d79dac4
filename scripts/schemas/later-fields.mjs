// Fields that Kubernetes added after the release of the facts and that the server has nevertheless.

const text = (field, presence) => ({type: 'string', ...(presence ? {'x-orch-presence': presence} : {}), 'x-orch-field': field});

const matchConditions = (field) => ({
  type: 'array',
  items: {$ref: '#/definitions/MatchCondition'},
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': 'name',
  'x-orch-field': field,
});

/** By document and type: further fields, and types that only they use. */
const additions = {
  'admissionregistration.orch/v1': {
    fields: {
      ValidatingWebhook: {matchConditions: matchConditions(11)},
      MutatingWebhook: {matchConditions: matchConditions(12)},
    },
    types: {
      MatchCondition: {
        type: 'object',
        required: ['name', 'expression'],
        properties: {name: text(1, 'always'), expression: text(2, 'always')},
      },
    },
  },
  'apiextensions.orch/v1': {
    fields: {
      ValidationRule: {
        messageExpression: text(3),
        reason: text(4, 'explicit'),
        fieldPath: text(5),
        optionalOldSelf: {type: 'boolean', 'x-orch-presence': 'explicit', 'x-orch-field': 6},
      },
      CustomResourceDefinitionVersion: {
        selectableFields: {
          type: 'array',
          items: {$ref: '#/definitions/SelectableField'},
          'x-kubernetes-list-type': 'atomic',
          'x-orch-field': 9,
        },
      },
    },
    types: {
      SelectableField: {
        type: 'object',
        required: ['jsonPath'],
        properties: {jsonPath: text(1, 'always')},
      },
    },
  },
};

export function addLaterFields(documents) {
  for (const [id, {fields, types}] of Object.entries(additions)) {
    const {definitions} = documents.get(id);
    for (const [name, properties] of Object.entries(fields)) Object.assign(definitions[name].properties, properties);
    Object.assign(definitions, types);
  }
}
