// Reads the tables of the built-in types in facts/ (its README.md says what they hold).
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {withChanges} from '../../core/api/schema/at-release.ts';

/** Where the tables are. */
export const factsFolder = join(dirname(fileURLToPath(import.meta.url)), 'facts');

/** The releases that the tables describe. */
export const releases = Array.from({length: 11}, (_, index) => `1.${26 + index}`);

/** What a field or a list of values is in a release: `changes` that came later are left out. */
export function atRelease({changes, since: _since, until: _until, ...first}, release) {
  return withChanges(first, changes, release);
}

/** The releases that have a field, the first one first. */
export function releasesOf({since = releases[0], until}) {
  return releases.slice(releases.indexOf(since), until === undefined ? undefined : releases.indexOf(until));
}

/** Tables of libraries: they have no group version of their own and go into the common metadata. */
const libraries = {intstr: 'intstr', resource: 'resource', runtime: 'runtime'};

/** The neutral form of a group: `storage.k8s.io` becomes `storage.orch`. */
export function neutralGroup(group) {
  return group.replace(/(^|\.)k8s\.io$/, '$1orch');
}

/** `core.v1` for the core group, `flowcontrol.v1beta3`: how tables refer to each other. */
function shortName(group, version) {
  return `${group === '' || group === 'core' ? 'core' : group.split('.')[0]}.${version}`;
}

/** All tables by short name; those of libraries by `intstr`, `resource` and `runtime`. */
export function readTables(folder = factsFolder) {
  const tables = new Map();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    const table = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const isLibrary = table.group === '(library)';
    const group = table.group === 'core' ? '' : table.group;
    const key = isLibrary ? libraries[table.version] : shortName(group, table.version);
    const documentId = isLibrary ? 'meta.orch/v1' : `${group === '' ? 'core' : neutralGroup(group)}/${table.version}`;
    tables.set(key, {...table, key, group: neutralGroup(group), folder: group.replace(/\.k8s\.io$/, '') || 'core', isLibrary, documentId});
  }
  return tables;
}

/** Finds a message or enum by the name that a field of `table` uses for it; undefined when there is none. */
export function lookUp(tables, table, name, part) {
  const at = name.lastIndexOf('.');
  const target = at < 0 ? table : tables.get(name.slice(0, at));
  const plain = name.slice(at + 1);
  const value = target?.[part]?.[plain];
  if (value !== undefined) return {table: target, name: plain, value};
  const alias = target?.scalars?.[plain];
  return alias?.includes('.') && !alias.includes('[') ? lookUp(tables, target, alias, part) : undefined;
}

/** The static defaulting rules of tables: fixed values that do not depend on other fields. */
export function defaultsOf(tables) {
  return [...tables.values()].flatMap(({key, defaults}) =>
    Object.entries(defaults).flatMap(([type, rules]) => rules.map(({path, value}) => ({table: key, type, path: path.split('.'), value}))),
  );
}
