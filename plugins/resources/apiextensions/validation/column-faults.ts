import {invalid, required, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import type {PrinterColumnDefinition} from '../custom-resource-definition.js';

const types: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const formats: readonly string[] = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

/** Errors in a printer column. */
export function columnFaults({name, type, format, jsonPath}: PrinterColumnDefinition, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (name === '') faults.push(required(path.child('name')));
  const oneOfTypes = `must be one of ${types.join(',')}`;
  if (type === '') faults.push(required(path.child('type'), oneOfTypes));
  else if (!types.includes(type)) faults.push(invalid(path.child('type'), type, oneOfTypes));
  if (format && !formats.includes(format)) faults.push(invalid(path.child('format'), format, `must be one of ${formats.join(',')}`));
  if (jsonPath === '') faults.push(required(path.child('JSONPath')));
  else if (!jsonPath.startsWith('.')) faults.push(invalid(path.child('JSONPath'), jsonPath, 'must be a simple json path starting with .'));
  return faults;
}
