import type {JsonSchema} from '../api/schema/json-schema.js';
import type {SchemaFault} from '../kernel/schema/schema-faults.js';
import {nearestName} from '../kernel/nearest-name.js';

/** What the root and embedded objects have without saying so. */
const implicit = ['apiVersion', 'kind', 'metadata'];

/**
 * Required fields that no object could have, because the schema does not know them and they are dropped. Kubernetes accepts such schemas.
 *
 * @param path where the schema is
 */
export function requiredFieldFaults(schema: JsonSchema, path: string, isRoot = true): SchemaFault[] {
  const {properties = {}, required = [], items, additionalProperties} = schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties !== undefined;
  const known = [...Object.keys(properties), ...(isRoot || schema['x-kubernetes-embedded-resource'] === true ? implicit : [])];
  const missing = isOpen ? [] : required.filter((name) => !known.includes(name));
  return [
    ...missing.map((name) => {
      const meant = nearestName(name, known);
      return {
        path: `${path}.required`,
        text: `requires ${name}, which it does not have${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      };
    }),
    ...Object.entries(properties).flatMap(([name, each]) => requiredFieldFaults(each, `${path}.properties.${name}`, false)),
    ...(items ? requiredFieldFaults(items, `${path}.items`, false) : []),
    ...(typeof additionalProperties === 'object' ? requiredFieldFaults(additionalProperties, `${path}.additionalProperties`, false) : []),
  ];
}
