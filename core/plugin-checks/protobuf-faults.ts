import type {JsonSchema, ProtoField} from '../api/schema/json-schema.js';
import type {SchemaFault} from '../kernel/schema/schema-faults.js';

/** The largest number of a field, and those that protobuf keeps for itself. */
const maximumNumber = 2 ** 29 - 1;
const reserved = {from: 19_000, to: 19_999};

/** Numbers of protobuf fields that cannot be, or that two fields of one message have. */
export function protobufFaults(schema: JsonSchema, path: string): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const taken = new Map<string, string>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const at = `${path}.properties.${name}`;
    const field = (property as {'x-orch-field'?: ProtoField})['x-orch-field'];
    if (field !== undefined) {
      const {number, within = []} = typeof field === 'number' ? {number: field} : field;
      const wrong = [...within, number].find((each) => each > maximumNumber || (each >= reserved.from && each <= reserved.to));
      if (wrong !== undefined)
        faults.push({
          path: `${at}.x-orch-field`,
          text: `cannot be ${wrong}: numbers go to ${maximumNumber}, without ${reserved.from} to ${reserved.to}`,
        });
      const key = [...within, number].join('.');
      const other = taken.get(key);
      if (other !== undefined) faults.push({path: `${at}.x-orch-field`, text: `is ${key}, which ${other} has too`});
      else taken.set(key, name);
    }
    faults.push(...protobufFaults(property, at));
  }
  for (const [keyword, inner] of [
    ['items', schema.items],
    ['additionalProperties', schema.additionalProperties],
  ] as const)
    if (typeof inner === 'object') faults.push(...protobufFaults(inner, `${path}.${keyword}`));
  return faults;
}
