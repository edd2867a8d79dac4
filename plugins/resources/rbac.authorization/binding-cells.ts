import type {RoleBinding, Subject} from '../../../sdk/types/unchecked/rbac.authorization/v1.js';

/** Cells of a binding's Table row: the role and its subjects. */
export function bindingCells({roleRef, subjects}: RoleBinding): Record<string, string> {
  const named = (kind: string, text: (subject: Subject) => string) =>
    (subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(text)
      .join(', ');
  return {
    Role: `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    Users: named('User', ({name}) => name ?? ''),
    Groups: named('Group', ({name}) => name ?? ''),
    ServiceAccounts: named('ServiceAccount', ({namespace, name}) => `${namespace ?? ''}/${name ?? ''}`),
  };
}
