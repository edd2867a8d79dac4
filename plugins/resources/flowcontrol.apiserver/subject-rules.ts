import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  forbiddenField,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import type {Subject} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';

/** Kinds of subjects, with the member for each. */
const members = {User: 'user', Group: 'group', ServiceAccount: 'serviceAccount'} as const;
type SubjectKind = keyof typeof members;

/** Errors in a rule's subject: it needs exactly the member of its kind. */
export function subjectFaults(subject: Subject, path: FieldPath): FieldError[] {
  const {kind = ''} = subject;
  if (!Object.hasOwn(members, kind)) return [notSupported(path.child('kind'), kind, Object.keys(members))];
  const faults = describedFaults(subject, kind as SubjectKind, path);
  for (const [other, member] of Object.entries(members)) {
    if (other !== kind && subject[member])
      faults.push(forbiddenField(path.child(member), `${member} is forbidden when subject kind is not '${other}'`));
  }
  return faults;
}

function describedFaults(subject: Subject, kind: SubjectKind, path: FieldPath): FieldError[] {
  const member = members[kind];
  const at = path.child(member);
  const described = subject[member];
  if (!described) return [required(at, `${member} is required when subject kind is '${kind}'`)];
  if (kind === 'ServiceAccount') return serviceAccountFaults(subject.serviceAccount!, at);
  return described.name ? [] : [required(at.child('name'))];
}

function serviceAccountFaults({namespace = '', name = ''}: NonNullable<Subject['serviceAccount']>, path: FieldPath): FieldError[] {
  const namePath = path.child('name');
  const namespacePath = path.child('namespace');
  const faults = name === '' ? [required(namePath)] : [];
  if (name !== '' && name !== '*') faults.push(...dnsSubdomainFaults(name).map((detail) => invalid(namePath, name, detail)));
  if (namespace === '') return [...faults, required(namespacePath, 'must specify namespace for service account')];
  return [...faults, ...dnsLabelFaults(namespace).map((detail) => invalid(namespacePath, namespace, detail))];
}
