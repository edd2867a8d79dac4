// The table of resource types: where each kind is served, and the TypeScript types of it and of its subresources.
import {header} from './document-text.mjs';

/** `core/v1` → `coreV1`, `rbac.authorization/v1` → `rbacV1`. */
function moduleName(path) {
  const [group, version] = path.split('/');
  return `${group.split('.')[0]}${version[0].toUpperCase()}${version.slice(1)}`;
}

function documentId(group, version) {
  return `${group === '' ? 'core' : group}/${version}`;
}

/** Subresources that carry objects. Those whose handler writes responses of its own (`log`, `exec`) have no type. */
function subresourceTypes(typeOf, own, subresources) {
  const entries = [];
  for (const [name, definition] of Object.entries(subresources ?? {})) {
    if (definition.connect) continue;
    const isScale = definition.specReplicasPath !== undefined;
    const kind = isScale ? {group: 'autoscaling', version: 'v1', kind: 'Scale'} : definition.kind;
    const type = kind ? typeOf(documentId(kind.group, kind.version), kind.kind) : own;
    entries.push(`${/^[a-z]+$/.test(name) ? name : `'${name}'`}: ${type}`);
  }
  return entries.length === 0 ? '' : `, {${entries.join('; ')}}`;
}

/**
 * @param resources resource definitions of all manifests
 * @param documents documents by id
 * @param pathOf module of a document by id, below sdk/types and without extension
 */
export function resourcesText(resources, documents, pathOf) {
  const modules = new Map();
  const typeOf = (id, name) => {
    if (!documents.get(id)?.definitions[name]) return 'ApiObject';
    modules.set(moduleName(pathOf(id)), pathOf(id));
    return `${moduleName(pathOf(id))}.${name}`;
  };
  const groups = new Map();
  for (const {group, names, scope, versions} of resources) {
    for (const version of versions) {
      const own = typeOf(documentId(group, version.name), names.kind);
      const make = scope === 'Namespaced' ? 'namespaced' : 'clusterWide';
      const text = `${names.kind}: ${make}<${own}${subresourceTypes(typeOf, own, version.subresources)}>('${group}', '${version.name}', '${names.plural}', '${names.kind}'),`;
      const key = group === '' ? 'core' : group.split('.')[0];
      if (!groups.has(key)) groups.set(key, new Map());
      if (!groups.get(key).has(version.name)) groups.get(key).set(version.name, new Map());
      groups.get(key).get(version.name).set(names.kind, text);
    }
  }
  const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  const body = sorted(groups).map(([group, versions]) => {
    const parts = sorted(versions).map(
      ([version, kinds]) =>
        `    ${version}: {\n${sorted(kinds)
          .map(([, line]) => `      ${line}\n`)
          .join('')}    },\n`,
    );
    return `  ${group}: {\n${parts.join('')}  },\n`;
  });
  const imports = sorted(modules).map(([name, path]) => `import type * as ${name} from './${path}.js';\n`);
  const needsApiObject = body.some((text) => text.includes('ApiObject'));
  return `${header}${needsApiObject ? "import type {ApiObject} from '../objects/api-object.js';\n" : ''}${imports.join('')}import {clusterWide, namespaced} from './resource-handle.js';

/** The built-in resource types: \`types.GROUP.VERSION.KIND\`. Groups are named by their first word, the core group is \`core\`. */
export const types = {
${body.join('')}} as const;
`;
}
