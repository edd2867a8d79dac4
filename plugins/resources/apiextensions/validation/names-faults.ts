import {dns1035LabelFaults, invalid, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import type {DefinitionNames} from '../custom-resource-definition.js';

/** Errors in the requested or accepted names of a definition. Empty names are reported as missing, not as invalid. */
export function namesFaults(names: DefinitionNames, path: FieldPath): FieldError[] {
  const {plural, singular = '', kind, listKind = '', shortNames, categories} = names;
  const faults: FieldError[] = [];
  const check = (at: FieldPath, value: string, text = value, prefix = '') => {
    const wrong = text === '' ? [] : dns1035LabelFaults(text);
    if (wrong.length > 0) faults.push(invalid(at, value, prefix + wrong.join(',')));
  };
  const mixedCase = 'may have mixed case, but should otherwise match: ';
  check(path.child('plural'), plural);
  check(path.child('singular'), singular);
  check(path.child('kind'), kind, kind.toLowerCase(), mixedCase);
  check(path.child('listKind'), listKind, listKind.toLowerCase(), mixedCase);
  for (const [member, list] of [
    ['shortNames', shortNames],
    ['categories', categories],
  ] as const) {
    list?.forEach((name, position) => {
      const wrong = dns1035LabelFaults(name);
      if (wrong.length > 0) faults.push(invalid(path.child(member).index(position), name, wrong.join(',')));
    });
  }
  if (kind !== '' && kind === listKind) faults.push(invalid(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  return faults;
}
