import {isDeepStrictEqual} from 'node:util';
import {load} from 'js-yaml';
import {kubernetes} from '../../core/api/naming/kubernetes.js';
import {openEnvelope} from '../../core/api/protobuf/envelope.js';
import {decodeCarried} from '../helpers/decode-carried.js';
import type {JsonObject, NamingProfile} from '@orch-api/orch/sdk';
import type {TestClient, TestResponse} from '@orch-api/orch/testing';
import {eventually} from '../helpers/eventually.js';
import type {CatalogueType} from './catalogue-types.js';
import {minimalObject} from './minimal-objects.js';
import {schemaOf} from './schemas.js';

type Read = JsonObject & {
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    labels?: Record<string, string>;
    deletionTimestamp?: string;
    finalizers?: string[];
    managedFields?: {manager: string; operation: string}[];
  };
  spec?: {finalizers?: string[]};
};

interface Table {
  readonly kind: string;
  readonly columnDefinitions: readonly {readonly name: string}[];
  readonly rows: readonly {readonly cells: readonly unknown[]; readonly object: {readonly metadata: {readonly uid: string}}}[];
}

/** Where the types are served and in whose words. */
export interface Surroundings {
  readonly client: TestClient;
  readonly naming: NamingProfile;
  /** The release that is served, the default one if it is left out. */
  readonly release?: string;
  readonly namespace: string;
}

/** @throws Error that says what is not as it has to be */
function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

function succeeded(response: TestResponse, status: number, step: string): TestResponse {
  expect(response.status === status, `${step}: ${response.status} ${response.body.toString().slice(0, 500)}`);
  return response;
}

/**
 * Leads an object of a type through its whole life: creation, reading in three forms, changes of six kinds, its Table, its end.
 *
 * @returns what went wrong first, in words; undefined when nothing did
 */
export async function liveThrough(type: CatalogueType, surroundings: Surroundings): Promise<string | undefined> {
  try {
    await new ObjectLife(type, surroundings).run();
    return undefined;
  } catch (error) {
    return `${type.groupVersion} ${type.resource}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

class ObjectLife {
  readonly #client: TestClient;
  readonly #manifest: JsonObject & {metadata: {name: string}};
  readonly #collection: string;
  readonly #path: string;
  readonly #binary: string;

  constructor(
    readonly type: CatalogueType,
    readonly surroundings: Surroundings,
  ) {
    const {client, naming, namespace} = surroundings;
    const neutral = type.group === '' ? type.version : `${kubernetes.neutralGroup(type.group)}/${type.version}`;
    const minimal = minimalObject(type.resource, neutral, naming, namespace);
    expect(minimal !== undefined, 'the table of minimal objects does not have it');
    const name = minimal.name ?? `every-kind-${type.groupVersion.replaceAll(/[./]/g, '-')}`;
    this.#client = client;
    this.#manifest = {apiVersion: type.groupVersion, kind: type.kind, metadata: {name}, ...minimal.members} as never;
    this.#collection = `${type.root}/${type.namespaced ? `namespaces/${namespace}/` : ''}${type.resource}`;
    this.#path = `${this.#collection}/${name}`;
    this.#binary = naming.protobufMediaType;
  }

  async run(): Promise<void> {
    const made = succeeded(await this.#client.post(this.#collection, this.#manifest), 201, 'create').json<Read>();
    expect(
      made.kind === this.type.kind && made.apiVersion === this.type.groupVersion,
      `create: ${String(made.apiVersion)} ${String(made.kind)}`,
    );
    const {uid} = made.metadata;
    await this.#readInAllForms(uid);
    await this.#update(uid);
    await this.#writeBackBinary();
    await this.#patch('application/json-patch+json', [{op: 'add', path: '/metadata/labels/json', value: 'yes'}], ['update', 'json']);
    await this.#patch('application/merge-patch+json', {metadata: {labels: {merge: 'yes', json: null}}}, ['update', 'merge']);
    await this.#patch('application/strategic-merge-patch+json', {metadata: {labels: {strategic: 'yes', merge: null}}}, [
      'update',
      'strategic',
    ]);
    await this.#apply(uid);
    await this.#table(uid);
    await this.#delete();
  }

  async #read(): Promise<Read> {
    return succeeded(await this.#client.get(this.#path), 200, 'get').json<Read>();
  }

  /** Controllers may write in between: the three forms are compared once they are of one resource version. */
  async #readInAllForms(uid: string): Promise<void> {
    const accept = async (mediaType: string, step: string) => {
      const response = succeeded(await this.#client.get(this.#path, {headers: {accept: mediaType}}), 200, step);
      expect(response.headers['content-type'] === mediaType, `${step}: the content type is ${response.headers['content-type']}`);
      return response.body;
    };
    const forms = async () => {
      const json = JSON.parse((await accept('application/json', 'get as JSON')).toString()) as Read;
      const yaml = load((await accept('application/yaml', 'get as YAML')).toString()) as Read;
      const envelope = openEnvelope(await accept(this.#binary, 'get as protobuf'));
      const schema = schemaOf(this.type.group, this.type.version, this.type.kind, this.surroundings.release);
      return {json, yaml, binary: decodeCarried(envelope, schema) as Read};
    };
    const {json, yaml, binary} = await eventually(
      forms,
      (all) => new Set(Object.values(all).map(({metadata}) => metadata.resourceVersion)).size === 1,
    );
    expect(json.metadata.uid === uid, 'get: another object');
    expect(isDeepStrictEqual(yaml, json), `get as YAML: ${JSON.stringify(yaml)} is not ${JSON.stringify(json)}`);
    expect(
      isDeepStrictEqual(asInProtobuf(binary), asInProtobuf(json)),
      `get as protobuf: ${JSON.stringify(binary)} is not ${JSON.stringify(json)}`,
    );
  }

  async #update(uid: string): Promise<void> {
    let before: Read | undefined;
    const put = async () => {
      before = await this.#read();
      return this.#client.put(this.#path, {...before, metadata: {...before.metadata, labels: {...before.metadata.labels, update: 'yes'}}});
    };
    const after = succeeded(await eventually(put, ({status}) => status !== 409), 200, 'update').json<Read>();
    expect(after.metadata.uid === uid && after.metadata.labels?.['update'] === 'yes', `update: ${JSON.stringify(after.metadata)}`);
    expect(after.metadata.resourceVersion !== before!.metadata.resourceVersion, 'update: the resource version stays');
  }

  /** What was read as protobuf, sent back as it is, is no change. */
  async #writeBackBinary(): Promise<void> {
    const headers = {accept: this.#binary, 'content-type': this.#binary};
    let read: TestResponse | undefined;
    const put = async () => {
      read = succeeded(await this.#client.get(this.#path, {headers: {accept: this.#binary}}), 200, 'get as protobuf');
      return this.#client.put(this.#path, read.body, {headers});
    };
    const written = succeeded(await eventually(put, ({status}) => status !== 409), 200, 'update as protobuf');
    expect(written.body.equals(read!.body), 'update as protobuf: the object is another than the one sent');
  }

  async #patch(mediaType: string, patch: unknown, labels: readonly string[]): Promise<void> {
    const after = succeeded(await this.#client.patch(this.#path, patch, mediaType), 200, mediaType).json<Read>();
    const own = Object.keys(after.metadata.labels ?? {}).filter((label) => ['update', 'json', 'merge', 'strategic'].includes(label));
    expect(isDeepStrictEqual(own.sort(), [...labels].sort()), `${mediaType}: labels ${own.join(', ')}`);
  }

  async #apply(uid: string): Promise<void> {
    const applied = {...this.#manifest, metadata: {...this.#manifest.metadata, labels: {applied: 'yes'}}};
    const path = `${this.#path}?fieldManager=catalogue&force=true`;
    const after = succeeded(await this.#client.patch(path, applied, 'application/apply-patch+yaml'), 200, 'apply').json<Read>();
    const {labels} = after.metadata;
    expect(
      after.metadata.uid === uid && labels?.['applied'] === 'yes' && labels['strategic'] === 'yes',
      `apply: labels ${JSON.stringify(labels)}`,
    );
    const owned = appliedBy('catalogue', after);
    expect(owned.length === 1, 'apply: the manager is not recorded');
    const again = succeeded(await this.#client.patch(path, applied, 'application/apply-patch+yaml'), 200, 'apply again').json<Read>();
    const {managedFields = []} = again.metadata;
    // If a controller has applied a status in between, entries are in another order by the time of this apply, and so it is a change, as in Kubernetes.
    const isAlone = managedFields.filter(({operation}) => operation === 'Apply').length === 1;
    const compared = (entries: readonly object[]) => (isAlone ? entries : entries.map((entry) => ({...entry, time: undefined})));
    expect(isDeepStrictEqual(compared(appliedBy('catalogue', again)), compared(owned)), `apply again: ${JSON.stringify(managedFields)}`);
  }

  async #table(uid: string): Promise<void> {
    const accept = `application/json;as=Table;v=v1;g=${this.surroundings.naming.group('meta.orch')}`;
    for (const path of [this.#path, this.#collection]) {
      const {kind, columnDefinitions, rows} = succeeded(await this.#client.get(path, {headers: {accept}}), 200, 'Table').json<Table>();
      const row = rows.find(({object}) => object.metadata.uid === uid);
      expect(kind === 'Table' && row !== undefined, `Table: no row of the object at ${path}`);
      const name = columnDefinitions.findIndex((column) => column.name === 'Name');
      expect(
        row.cells.length === columnDefinitions.length && row.cells[name] === this.#manifest.metadata.name,
        `Table: cells ${JSON.stringify(row.cells)}`,
      );
    }
  }

  /** What has finalizers goes when these are done, everything else at once. */
  async #delete(): Promise<void> {
    succeeded(await this.#client.delete(`${this.#path}?propagationPolicy=Background`), 200, 'delete');
    const left = () => this.#client.get(this.#path);
    // A finalizer may be done just before the look and the object go just behind it.
    await eventually(
      left,
      (response) => response.status === 404 || waitsForFinalizers(succeeded(response, 200, 'get behind delete').json<Read>()),
    );
  }
}

/** The entries of a manager that applies; those of controllers may change at any time. */
function appliedBy(manager: string, {metadata}: Read): object[] {
  return (metadata.managedFields ?? []).filter((entry) => entry.manager === manager && entry.operation === 'Apply');
}

function waitsForFinalizers({metadata, spec}: Read): boolean {
  return metadata.deletionTimestamp !== undefined && [...(metadata.finalizers ?? []), ...(spec?.finalizers ?? [])].length > 0;
}

/** Protobuf knows neither null nor an empty list: both are absent members there. */
function asInProtobuf(value: JsonObject): JsonObject {
  const isAbsent = (member: unknown) => member === null || (Array.isArray(member) && member.length === 0);
  return JSON.parse(JSON.stringify(value, (_key, member: unknown) => (isAbsent(member) ? undefined : member))) as JsonObject;
}
