import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {ApiObject} from '../sdk/objects/api-object.js';
import {isJsonObject} from '../sdk/values/is-json-object.js';
import {eventually} from './eventually.js';
import type {TestClient} from './test-client.js';

const manifestFile = /\.(?:ya?ml|json)$/;
const fieldManager = 'orch-testing';

interface Manifest extends ApiObject {
  apiVersion: string;
  kind: string;
  metadata: ApiObject['metadata'] & {name: string};
}

interface Found {
  /** File and place in it, for messages. */
  readonly origin: string;
  readonly object: Manifest;
}

interface Discovered {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** What other objects need comes first. */
const first = ['CustomResourceDefinition', 'Namespace'];
const rank = ({object: {kind}}: Found) => (first.indexOf(kind) + first.length + 1) % (first.length + 1);

/** Implements `TestServer.applyManifests`. */
export async function applyManifests(client: TestClient, path: string): Promise<ApiObject[]> {
  const found = (await Promise.all((await filesOf(path)).map(objectsOf))).flat();
  if (found.length === 0) throw new Error(`${path} has no objects: name a file, or a folder with .yaml, .yml or .json files`);
  const applied: ApiObject[] = [];
  for (const each of found.toSorted((one, other) => rank(one) - rank(other))) applied.push(await apply(client, each));
  return applied;
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = await readdir(path, {recursive: true});
  return names
    .filter((name) => manifestFile.test(name) && !/(?:^|[/\\])node_modules[/\\]/.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

async function objectsOf(file: string): Promise<Found[]> {
  const {loadAll} = await import('js-yaml');
  let documents: unknown[];
  try {
    documents = loadAll(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, {cause: error});
  }
  return documents
    .filter((document) => document !== null && document !== undefined)
    .flatMap((document) => (isJsonObject(document) && document['kind'] === 'List' ? (document['items'] as unknown[]) : [document]))
    .map((object, index) => ({origin: `${file}, object ${index + 1}`, object: checked(object, `${file}, object ${index + 1}`)}));
}

function checked(value: unknown, origin: string): Manifest {
  if (!isJsonObject(value)) throw new Error(`${origin}: this is not an object`);
  const {apiVersion, kind, metadata} = value as unknown as Partial<ApiObject>;
  if (!apiVersion || !kind || !metadata?.name) throw new Error(`${origin}: it needs apiVersion, kind and metadata.name`);
  return value as unknown as Manifest;
}

async function apply(client: TestClient, {origin, object}: Found): Promise<ApiObject> {
  const {apiVersion, kind, metadata} = object;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const type = await typeOf(client, root, object, origin);
  const namespace = type.namespaced ? `/namespaces/${encodeURIComponent(metadata.namespace ?? 'default')}` : '';
  const path = `${root}${namespace}/${type.name}/${encodeURIComponent(metadata.name)}?fieldManager=${fieldManager}&force=true`;
  const answer = await client.patch(path, object, 'application/apply-patch+yaml');
  if (answer.status >= 300) {
    const {message} = answer.json<{message?: string}>();
    throw new Error(`${origin}, ${kind} ${metadata.name}: ${message ?? answer.body.toString()}`);
  }
  const applied = answer.json<ApiObject>();
  if (kind === 'CustomResourceDefinition') await served(client, applied);
  return applied;
}

async function typeOf(client: TestClient, root: string, {apiVersion, kind}: Manifest, origin: string): Promise<Discovered> {
  const answer = await client.get(root);
  const resources = answer.status === 200 ? answer.json<{resources: Discovered[]}>().resources : [];
  const type = resources.find((each) => each.kind === kind && !each.name.includes('/'));
  if (!type) throw new Error(`${origin}: the server has no ${kind} in ${apiVersion}`);
  return type;
}

/** A definition takes effect a moment after it was made. */
async function served(client: TestClient, definition: ApiObject): Promise<void> {
  const {group, names, versions} = definition['spec'] as unknown as {
    group: string;
    names: {plural: string};
    versions: {name: string; served: boolean}[];
  };
  for (const {name} of versions.filter((version) => version.served)) {
    await eventually(async () => {
      const {status} = await client.get(`/apis/${group}/${name}/${names.plural}?limit=1`);
      if (status !== 200) throw new Error(`${names.plural}.${group}/${name} is not served, although it is defined: ${status}`);
    });
  }
}
