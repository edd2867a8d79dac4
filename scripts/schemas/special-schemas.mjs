// Types whose JSON form is not a list of fields (see facts/README.md).

const anyValue = {'x-kubernetes-preserve-unknown-fields': true};
const schemaProps = {$ref: '#/definitions/JSONSchemaProps'};

/** By table and name. Shapes of values are given in full; descriptions come from `descriptions/`. */
export const specialSchemas = {
  'meta.v1.Time': {type: 'string', format: 'date-time', 'x-orch-form': 'time'},
  'meta.v1.MicroTime': {type: 'string', format: 'date-time', 'x-orch-form': 'micro-time'},
  'meta.v1.Duration': {type: 'string', 'x-orch-form': 'duration'},
  'meta.v1.GroupVersion': {type: 'string'},
  'meta.v1.FieldsV1': {type: 'object', ...anyValue, 'x-orch-form': 'raw'},
  'meta.v1.Patch': {type: 'object', ...anyValue},
  'resource.Quantity': {type: 'string', 'x-orch-form': 'quantity'},
  'intstr.IntOrString': {'x-kubernetes-int-or-string': true},
  'runtime.RawExtension': {...anyValue, 'x-orch-form': 'raw'},
  'apiextensions.v1.JSON': {...anyValue, 'x-orch-form': 'raw'},
  'apiextensions.v1.JSONSchemaPropsOrBool': {'x-orch-alternatives': [schemaProps, {type: 'boolean'}], 'x-orch-form': 'schema-or-bool'},
  'apiextensions.v1.JSONSchemaPropsOrArray': {
    'x-orch-alternatives': [schemaProps, {type: 'array', items: schemaProps}],
    'x-orch-form': 'schema-or-list',
  },
  'apiextensions.v1.JSONSchemaPropsOrStringArray': {
    'x-orch-alternatives': [schemaProps, {type: 'array', items: {type: 'string'}}],
    'x-orch-form': 'schema-or-texts',
  },
};

/** Values of closed lists that the tables lack, because their constants are made from those of another list. By table and name. */
export const furtherValues = {
  'discovery.v1.AddressType': ['IPv4', 'IPv6'],
};

/** Messages that have no place in a schema file: envelopes of the binary form and the Go side of what is text in JSON. */
export const omitted = new Set(['meta.v1.TypeMeta', 'meta.v1.Timestamp', 'resource.QuantityValue', 'runtime.TypeMeta', 'runtime.Unknown']);
