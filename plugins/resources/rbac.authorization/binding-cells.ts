import {age} from '../../../sdk/index.js';
import type {Binding, Subject} from './rbac-types.js';

/** Cells of a binding's Table row: the role and its subjects. */
export function bindingCells({roleRef, subjects, metadata}: Binding, now: Date): Record<string, string> {
  const named = (kind: string, text: (subject: Subject) => string) =>
    (subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(text)
      .join(', ');
  return {
    Role: `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    Age: age(metadata.creationTimestamp, now),
    Users: named('User', ({name}) => name ?? ''),
    Groups: named('Group', ({name}) => name ?? ''),
    ServiceAccounts: named('ServiceAccount', ({namespace, name}) => `${namespace ?? ''}/${name ?? ''}`),
  };
}
