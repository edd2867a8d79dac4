import {required, type FieldError, type FieldPath} from '../../../../../sdk/index.js';
import {itemsOf, propertyOf, type SchemaProps} from '../../schema-props.js';

/** Places that a schema mentions in `allOf`, `anyOf`, `oneOf` or `not` but does not define itself. */
export function completenessFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  compareParts(schema, schema, path, path, faults);
  return faults;
}

function compareParts(rules: SchemaProps, schema: SchemaProps, path: FieldPath, rulesPath: FieldPath, faults: FieldError[]): void {
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    rules[keyword]?.forEach((part, position) => compare(part, schema, path, rulesPath.child(keyword).index(position), faults));
  }
  if (rules.not) compare(rules.not, schema, path, rulesPath.child('not'), faults);
}

/** `path` is where the structure should be defined, `rulesPath` is the place of the rule. */
function compare(rules: SchemaProps, schema: SchemaProps | undefined, path: FieldPath, rulesPath: FieldPath, faults: FieldError[]): void {
  if (!schema) {
    faults.push(required(path, `because it is defined in ${rulesPath.toString()}`));
    return;
  }
  compareParts(rules, schema, path, rulesPath, faults);
  const items = itemsOf(rules);
  if (items) compare(items, itemsOf(schema), path.child('items'), rulesPath.child('items'), faults);
  for (const [name, property] of Object.entries(rules.properties ?? {})) {
    const steps = (place: FieldPath) => place.child('properties').key(name);
    compare(property, propertyOf(schema, name), steps(path), steps(rulesPath), faults);
  }
}
