import {FieldPath} from '../../../../sdk/index.js';

/** The place of errors about the object as a whole, as Kubernetes writes it. */
const noPath = '<nil>';

/** The field of an error, by where the walk began and the way from there. Kubernetes puts a point before an index there. */
export function fieldBelow(base: string, way: string): string {
  return [base, way].filter(Boolean).join('.') || noPath;
}

/** The same place as a path: for errors that are not those of the schema. */
export function pathBelow(base: string, way: string): FieldPath {
  const text = `${base}${base === '' || way === '' || way.startsWith('[') ? '' : '.'}${way}`;
  return text === '' ? FieldPath.root : FieldPath.of(text);
}
