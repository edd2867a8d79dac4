import {isDeepStrictEqual} from 'node:util';
import type {CustomResourceDefinition, DefinitionNames, Finding} from '../custom-resource-definition.js';

/** Which names belong to another type of the group. */
export interface NamesInUse {
  /** Plural, singular and short names. */
  resource(name: string): boolean;
  /** Kinds and list kinds. */
  kind(name: string): boolean;
}

/** The accepted names of a definition, and whether they are all it requested. */
export interface NamesVerdict {
  readonly names: DefinitionNames;
  readonly finding: Finding;
}

/** Maximum number of names in a condition. */
const reportedNames = 20;

/**
 * Decides which of the requested names a definition gets: those that no other type of the group has. If a name is taken, the previously
 * accepted one stays (Kubernetes' naming controller).
 */
export function acceptNames(definition: CustomResourceDefinition, inUse: NamesInUse): NamesVerdict {
  const wanted = definition.spec.names;
  const before = definition.status?.acceptedNames;
  const names: DefinitionNames = before ? {...before} : {plural: '', kind: ''};
  let conflict: Finding | undefined;
  const report = (reason: string, taken: readonly string[]) => {
    const texts = taken.slice(0, reportedNames).map((name) => `${JSON.stringify(name)} is already in use`);
    if (taken.length > reportedNames) texts.push(`and ${taken.length - reportedNames} more`);
    // The last conflict is the one reported.
    conflict = {type: 'NamesAccepted', status: 'False', reason, message: texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`};
  };
  const settle = (member: 'plural' | 'singular' | 'kind' | 'listKind', reason: string, isTaken: (name: string) => boolean) => {
    const name = wanted[member] ?? '';
    if (!isTaken(name)) names[member] = name;
    else {
      report(reason, [name]);
      if (before?.[member] === name) names[member] = '';
    }
  };
  settle('plural', 'PluralConflict', (name) => inUse.resource(name));
  settle('singular', 'SingularConflict', (name) => inUse.resource(name));
  const shortNames = wanted.shortNames ?? [];
  const takenShortNames = shortNames.filter((name) => inUse.resource(name));
  if (takenShortNames.length > 0) {
    report('ShortNamesConflict', takenShortNames);
    const taken = new Set(takenShortNames);
    names.shortNames = names.shortNames?.filter((name) => !taken.has(name));
  } else if (!isDeepStrictEqual(shortNames, names.shortNames ?? [])) names.shortNames = shortNames;
  settle('kind', 'KindConflict', (name) => inUse.kind(name));
  settle('listKind', 'ListKindConflict', (name) => inUse.kind(name));
  names.categories = wanted.categories ?? [];
  for (const member of ['singular', 'listKind'] as const) if (!names[member]) delete names[member];
  for (const member of ['shortNames', 'categories'] as const) if (names[member]?.length === 0) delete names[member];
  return {names, finding: conflict ?? {type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found'}};
}
