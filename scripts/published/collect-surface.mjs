// What the platform publishes: the resources of its group versions, and the definitions that they are made of. Alpha versions are left out:
// they may change at any time.
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {promiseRelease} from '../../core/api/lifetimes/releases.ts';
import {definitionAtRelease} from '../../core/api/schema/at-release.ts';
import {filesBelow} from '../source-files.mjs';
import {reservedKeys} from './reserved-keys.mjs';
import {fieldsOf, reference, sorted} from './schema-fields.mjs';

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const scaleKind = {group: 'autoscaling', version: 'v1', kind: 'Scale'};

/**
 * The surface of the tree below `root`, as plain data: `{groupVersions: {ID: {resources, definitions}}, keys: {KEY: groups}}`.
 *
 * - an id is `core/v1` or `storage.orch/v1`; a body is `ID#DEFINITION`
 * - `resources`: plural → `{kind, scope, lifetime, verbs, body, subresources: {NAME: {verbs, body}}}`, verbs as one text
 * - `definitions`: name → path → type, as `fieldsOf` answers them
 */
export function collectSurface(root) {
  const documents = readDocuments(root);
  const groupVersions = new Map();
  const surfaceOf = (id) => {
    if (!groupVersions.has(id)) groupVersions.set(id, {resources: {}, definitions: {}});
    return groupVersions.get(id);
  };
  const include = (ref) => {
    const [id, name] = ref.split('#');
    const {definitions} = surfaceOf(id);
    const schema = documents.get(id)?.[name];
    if (schema === undefined || Object.hasOwn(definitions, name)) return;
    definitions[name] = fieldsOf(schema, id);
    for (const type of Object.values(definitions[name])) if (type.startsWith('-> ')) include(type.slice(3));
  };
  for (const path of filesBelow(join(root, 'plugins'), /^plugin\.json$/)) {
    const file = join(root, 'plugins', path);
    for (const definition of JSON.parse(readFileSync(file, 'utf8')).contributes?.resources ?? []) {
      for (const version of definition.versions) {
        if (version.name.includes('alpha')) continue;
        const resource = describeResource(definition, version, dirname(file), documents);
        surfaceOf(idOf(definition.group, version.name)).resources[definition.names.plural] = resource;
        for (const {body} of [resource, ...Object.values(resource.subresources)]) if (body !== undefined) include(body);
      }
    }
  }
  const ordered = [...groupVersions].map(([id, {resources, definitions}]) => [
    id,
    {resources: sorted(resources), definitions: sorted(definitions)},
  ]);
  return {groupVersions: sorted(Object.fromEntries(ordered)), keys: reservedKeys(root)};
}

function describeResource({group, names, scope, verbs: mainVerbs = allVerbs}, version, folder, documents) {
  const id = idOf(group, version.name);
  const bodyOf = (schema) => {
    if (typeof schema === 'object') {
      documents.set(id, {...documents.get(id), [names.kind]: schema});
      return `${id}#${names.kind}`;
    }
    const [document, pointer] = schema.split('#');
    return reference(document.endsWith('.json') ? `${fileId(join(folder, document))}#${pointer}` : schema, id);
  };
  const body = bodyOf(version.schema);
  const subresources = Object.entries(version.subresources ?? {}).map(
    ([name, {verbs = ['get', 'patch', 'update'], kind, schema, connect}]) => {
      const other = kind ?? (name === 'scale' ? scaleKind : undefined);
      const own = other === undefined ? body : `${idOf(other.group, other.version)}#${other.kind}`;
      return [name, {verbs: listed(verbs), body: schema !== undefined ? bodyOf(schema) : connect === true ? undefined : own}];
    },
  );
  return {
    kind: names.kind,
    scope,
    lifetime: version.lifetime ?? {},
    verbs: listed(mainVerbs),
    body,
    subresources: sorted(Object.fromEntries(subresources)),
  };
}

function listed(verbs) {
  return [...verbs].sort().join(' ');
}

function idOf(group, version) {
  return `${group === '' ? 'core' : group}/${version}`;
}

/** Definitions by document id. Where two files share an id, both contribute. */
function readDocuments(root) {
  const documents = new Map();
  const shared = join(root, 'sdk/schemas');
  const files = [
    ...filesBelow(join(root, 'plugins'), /\.schema\.json$/).map((path) => join(root, 'plugins', path)),
    ...readdirSync(shared)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(shared, name)),
  ];
  for (const file of files) {
    const {group, version, definitions: given} = JSON.parse(readFileSync(file, 'utf8'));
    if (given === undefined) continue;
    const entries = Object.entries(given).map(([name, definition]) => [name, definitionAtRelease(definition, promiseRelease)]);
    const definitions = Object.fromEntries(entries.filter(([, definition]) => definition !== undefined));
    documents.set(idOf(group, version), {...definitions, ...documents.get(idOf(group, version))});
  }
  return documents;
}

function fileId(file) {
  const {group, version} = JSON.parse(readFileSync(file, 'utf8'));
  return idOf(group, version);
}
