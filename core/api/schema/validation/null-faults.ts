import {FieldPath, typeInvalid, type FieldError, type JsonObject, type JsonValue} from '../../../../sdk/index.js';
import {isJsonObject} from '../../json/is-json-object.js';
import type {SchemaNode} from '../schema-node.js';
import {typeFaultText} from './type-faults.js';

/** A report contains at most this many errors. */
const faultLimit = 100;

/**
 * The nulls of a configuration that stand where a structural schema has something else: other bodies lose them before they are judged, but what is applied
 * is judged as it was sent. Where there is a default that is taken. Empty for built-in types.
 *
 * @param isStatus judges the status alone, as if it were an object of its own
 */
export function nullFaults(node: SchemaNode, config: JsonObject, isStatus: boolean): FieldError[] {
  const faults: FieldError[] = [];
  if (node.kubernetesSemantics) return faults;
  const status = isStatus ? node.properties.get('status') : undefined;
  if (!status) check(node, config, {field: FieldPath.root, shown: FieldPath.root}, faults);
  else {
    const field = status.behaviour.placesFaultsInStatus ? FieldPath.root : FieldPath.of('status');
    check(status, config['status'], {field, shown: FieldPath.root}, faults);
  }
  return faults;
}

/** Where a value stands: for the field of a fault, and for its text. */
interface Place {
  readonly field: FieldPath;
  readonly shown: FieldPath;
}

function check(node: SchemaNode, value: JsonValue | undefined, {field, shown}: Place, faults: FieldError[]): void {
  if (value === undefined || faults.length >= faultLimit) return;
  if (value === null) {
    if (!node.nullable && node.default === undefined && node.type !== 'any') {
      const fault = {actual: 'null', expected: node.type === 'int-or-string' ? 'integer,string' : node.type};
      faults.push(typeInvalid(field, fault.actual, typeFaultText(shown.toString(), fault)));
    }
  } else if (Array.isArray(value)) {
    if (!node.items) return;
    for (const [at, item] of value.entries()) check(node.items, item, {field: field.index(at), shown: shown.index(at)}, faults);
  } else if (isJsonObject(value)) {
    for (const [name, one] of Object.entries(value)) {
      const member = node.member(name);
      // Metadata is of a type of its own.
      if (member && !member.kubernetesSemantics) check(member, one, {field: field.child(name), shown: shown.child(name)}, faults);
    }
  }
}
