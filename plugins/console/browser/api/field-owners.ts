import type {ApiObject, FieldSet, ManagedFields} from './types.js';

/** One line of an object's text with who owns what stands there. */
export interface OwnedLine {
  readonly indent: number;
  readonly text: string;
  /** Places in the list of managers; empty where nobody owns it by itself. */
  readonly owners: readonly number[];
}

/** Most lines that are made of an object. */
export const mostLines = 5000;

interface Owned {
  readonly manager: number;
  readonly fields: FieldSet;
}

/** The lines of an object and the managers of its fields, as `metadata.managedFields` has them. */
export function ownedLines(object: ApiObject): {readonly lines: readonly OwnedLine[]; readonly managers: readonly ManagedFields[]} {
  const {managedFields: managers = [], ...metadata} = object.metadata;
  const lines: OwnedLine[] = [];
  const add = (indent: number, text: string, owned: readonly Owned[]) => {
    if (lines.length < mostLines) lines.push({indent, text, owners: [...new Set(owned.filter(isOwner).map(({manager}) => manager))]});
  };
  const visit = (indent: number, head: string, value: unknown, owned: readonly Owned[]) => {
    if (Array.isArray(value) && value.length > 0) {
      add(indent, head, owned);
      for (const item of value)
        visit(
          indent + 1,
          '-',
          item,
          inside(owned, (key) => fitsItem(key, item)),
        );
    } else if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
      add(indent, head, owned);
      for (const [name, member] of Object.entries(value))
        visit(
          indent + 1,
          `${name}:`,
          member,
          inside(owned, (key) => key === `f:${name}`),
        );
    } else add(indent, `${head} ${JSON.stringify(value)}`, owned);
  };
  const owned = managers.map(({fieldsV1 = {}}, manager) => ({manager, fields: fieldsV1}));
  for (const [name, member] of Object.entries({...object, metadata}))
    visit(
      0,
      `${name}:`,
      member,
      inside(owned, (key) => key === `f:${name}`),
    );
  return {lines, managers};
}

/** What managers own below what fits. */
function inside(owned: readonly Owned[], fits: (key: string) => boolean): readonly Owned[] {
  return owned.flatMap(({manager, fields}) => {
    const key = Object.keys(fields).find(fits);
    return key === undefined ? [] : [{manager, fields: fields[key]!}];
  });
}

/** Whether a manager owns what stands here, and not only something below it. */
function isOwner({fields}: Owned): boolean {
  return Object.keys(fields).length === 0 || '.' in fields;
}

/** Keys of items: `k:{"name":"a"}` by some members, `v:"a"` by the value. */
function fitsItem(key: string, item: unknown): boolean {
  try {
    if (key.startsWith('v:')) return key.slice(2) === JSON.stringify(item);
    if (!key.startsWith('k:')) return false;
    const wanted = JSON.parse(key.slice(2)) as Record<string, unknown>;
    return Object.entries(wanted).every(([name, value]) => (item as Record<string, unknown> | null)?.[name] === value);
  } catch {
    return false;
  }
}
