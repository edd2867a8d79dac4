import {invalid, tooLong, typeInvalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isJsonObject} from '../json/is-json-object.js';

/** Maximum bytes of a field manager's name. */
const maximumManagerLength = 128;
const maximumSubresourceLength = 256;
/** One for each character would be as many as a client likes. */
const maximumManagerFaults = 20;

/** Printable characters: letters, marks, numbers, punctuation, symbols and the ASCII space (Go's `unicode.IsPrint`). */
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
/** Nearly all names: printable, and one byte for each character. */
const plain = /^[ -~]*$/;

/** The name of a field manager, as `fieldManager` or in a managedFields entry: at most 128 bytes, all printable. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  if (manager.length <= maximumManagerLength && plain.test(manager)) return [];
  const faults: FieldError[] = [];
  if (Buffer.byteLength(manager) > maximumManagerLength) faults.push(tooLong(path, maximumManagerLength));
  let offset = 0;
  for (const character of manager) {
    if (unprintable.test(character)) faults.push(invalid(path, manager, `invalid character ${codeOf(character)} (at position ${offset})`));
    if (faults.length === maximumManagerFaults) break;
    offset += Buffer.byteLength(character);
  }
  return faults;
}

/** A character by its number (`U+000A`). */
function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The longest valid field manager name that `text` starts with, without unprintable characters. */
export function fittingManager(text: string): string {
  if (text.length <= maximumManagerLength && plain.test(text)) return text;
  let manager = '';
  let size = 0;
  for (const character of text) {
    if (unprintable.test(character)) continue;
    size += Buffer.byteLength(character);
    if (size > maximumManagerLength) break;
    manager += character;
  }
  return manager;
}

/** Checks the operation, fields type, manager and subresource of every entry of `metadata.managedFields`. */
export function validateManagedFields(entries: unknown, path: FieldPath): FieldError[] {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries)) return [typeInvalid(path, entries, 'must be an array')];
  return entries.flatMap((entry: unknown, position) =>
    isJsonObject(entry) ? validateEntry(entry, path.index(position)) : [typeInvalid(path.index(position), entry, 'must be an object')],
  );
}

function validateEntry(entry: Record<string, unknown>, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const {operation = '', fieldsType = '', manager = '', subresource = ''} = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    faults.push(invalid(path.child('operation'), operation, 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') faults.push(invalid(path.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
  if (typeof manager === 'string') faults.push(...validateFieldManager(manager, path.child('manager')));
  else faults.push(typeInvalid(path.child('manager'), manager, 'must be a string'));
  if (typeof subresource !== 'string') faults.push(typeInvalid(path.child('subresource'), subresource, 'must be a string'));
  else if (Buffer.byteLength(subresource) > maximumSubresourceLength)
    faults.push(tooLong(path.child('subresource'), maximumSubresourceLength));
  return faults;
}
