import {dnsSubdomainFaults, FieldPath, invalid, notSupported, required, type FieldError} from '../../../sdk/index.js';
import {pathSegmentFaults, sameValue} from '../../../sdk/validation/index.js';
import type {RoleBinding, RoleRef, Subject} from '../../../sdk/types/unchecked/rbac.authorization/v1.js';

const roleRefPath = FieldPath.of('roleRef');
const subjectsPath = FieldPath.of('subjects');

/** What the rules for bindings depend on. */
export interface BindingRules {
  /** The API group of roles, as clients spell it. */
  readonly group: string;
  /** Kinds of roles that a binding may refer to. */
  readonly roleKinds: readonly string[];
  /** In a namespaced binding, a service account without a namespace is one of the binding's namespace. */
  readonly namespaced: boolean;
}

/** Users and groups default to the API group of roles, service accounts to the core group. */
export function defaultSubjectGroups({subjects}: RoleBinding, group: string): void {
  for (const subject of subjects ?? []) {
    if (!subject.apiGroup && (subject.kind === 'User' || subject.kind === 'Group')) subject.apiGroup = group;
  }
}

/** All errors in a binding. */
export function bindingFaults({roleRef, subjects}: RoleBinding, rules: BindingRules): FieldError[] {
  return [
    ...roleRefFaults(roleRef ?? {}, rules),
    ...(subjects ?? []).flatMap((subject, index) => subjectFaults(subject, rules, subjectsPath.index(index))),
  ];
}

/** A binding's subjects may change, its role may not. */
export function roleRefChangeFaults(object: RoleBinding, old: RoleBinding): FieldError[] {
  return sameValue(object.roleRef, old.roleRef) ? [] : [invalid(roleRefPath, object.roleRef, 'cannot change roleRef')];
}

function roleRefFaults({apiGroup = '', kind = '', name = ''}: RoleRef, {group, roleKinds}: BindingRules): FieldError[] {
  const faults: FieldError[] = [];
  if (apiGroup !== group) faults.push(notSupported(roleRefPath.child('apiGroup'), apiGroup, [group]));
  if (!roleKinds.includes(kind)) faults.push(notSupported(roleRefPath.child('kind'), kind, roleKinds));
  const namePath = roleRefPath.child('name');
  if (name === '') faults.push(required(namePath));
  for (const detail of pathSegmentFaults(name)) faults.push(invalid(namePath, name, detail));
  return faults;
}

function subjectFaults(
  {kind = '', apiGroup = '', name = '', namespace = ''}: Subject,
  {group, namespaced}: BindingRules,
  path: FieldPath,
): FieldError[] {
  const namePath = path.child('name');
  const faults: FieldError[] = name === '' ? [required(namePath)] : [];
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') faults.push(...dnsSubdomainFaults(name).map((detail) => invalid(namePath, name, detail)));
      if (apiGroup !== '') faults.push(notSupported(path.child('apiGroup'), apiGroup, ['']));
      if (!namespaced && namespace === '') faults.push(required(path.child('namespace')));
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== group) faults.push(notSupported(path.child('apiGroup'), apiGroup, [group]));
      break;
    default:
      faults.push(notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']));
  }
  return faults;
}
