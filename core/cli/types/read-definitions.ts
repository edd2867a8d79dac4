import {readFileSync, statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {JsonObject} from '../../../sdk/index.js';
import {isJsonObject} from '../../../sdk/values/is-json-object.js';
import {isDefinition} from './definition-versions.js';

/** How much a file, or an answer, may hold, in bytes. */
const longest = 32 * 1024 * 1024;
/** How long a server may take, in milliseconds. */
const patience = 30_000;
/** Definitions of one page. */
const pageSize = 100;

/** Where definitions are read from. */
export interface DefinitionSource {
  /** A file of definitions or of a client's configuration, the address of a file, or that of a server. */
  readonly from: string;
  readonly cwd: string;
  /** The client's configuration for a server that is named by its address; the usual one if absent. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/**
 * The CustomResourceDefinitions of a file or a server.
 *
 * @throws Error in one sentence
 */
export async function readDefinitions({from, cwd, kubeconfig, context}: DefinitionSource): Promise<object[]> {
  if (/^https?:\/\//.test(from)) {
    const url = new URL(from);
    if (url.pathname !== '/' && url.pathname !== '') return definitionsIn(await download(url), from);
    return installed({kubeconfig, context, server: url});
  }
  const file = resolve(cwd, from);
  if (statSync(file).size > longest) throw new Error(`${from} is larger than ${longest / 1024 / 1024} MiB`);
  const text = readFileSync(file, 'utf8');
  const documents = await documentsIn(text, from);
  if (documents.some((document) => isJsonObject(document) && document['kind'] === 'Config' && 'clusters' in document))
    return installed({kubeconfig: file, context});
  return picked(documents, from);
}

async function definitionsIn(text: string, from: string): Promise<object[]> {
  return picked(await documentsIn(text, from), from);
}

/** The definitions among the documents of a file, and in its lists. */
function picked(documents: readonly unknown[], from: string): object[] {
  const all = documents.flatMap((document) =>
    isJsonObject(document) && Array.isArray(document['items']) ? itemsOf(document, document['items']) : [document],
  );
  const found = all.filter((document) => isDefinition(document)) as object[];
  if (found.length === 0) throw new Error(`${from} holds no CustomResourceDefinition of apiextensions/v1`);
  return found;
}

/** The items of a list. As servers answer it, only the list says what they are. */
function itemsOf({apiVersion, kind}: JsonObject, items: readonly unknown[]): unknown[] {
  if (typeof kind !== 'string' || !/.List$/.test(kind)) return [...items];
  const type = {apiVersion, kind: kind.slice(0, -'List'.length)};
  return items.map((item) => (isJsonObject(item) ? {...type, ...item} : item));
}

async function documentsIn(text: string, from: string): Promise<unknown[]> {
  const {loadAll} = await import('js-yaml');
  try {
    return loadAll(text);
  } catch (cause) {
    throw new Error(`${from} is neither YAML nor JSON: ${(cause as Error).message.split('\n', 1)[0]}`, {cause});
  }
}

async function download(url: URL): Promise<string> {
  const response = await fetch(url, {signal: AbortSignal.timeout(patience)}).catch((cause: Error) => {
    throw new Error(`${url.href} cannot be read: ${cause.message}`, {cause});
  });
  if (!response.ok || !response.body) throw new Error(`${url.href} answers with status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.length;
    if (length > longest) throw new Error(`${url.href} is larger than ${longest / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What a server has installed, page by page. Credentials are only sent to the server that they are for. */
async function installed({
  server,
  ...where
}: {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly server?: URL;
}): Promise<object[]> {
  const {Client, loadConnection} = await import('../../../sdk/client/index.js');
  const {kubeconfig, context} = where;
  const connection = await loadConnection({...(kubeconfig === undefined ? {} : {kubeconfig}), ...(context === undefined ? {} : {context})});
  if (server && new URL(connection.server).origin !== server.origin)
    throw new Error(
      `the client configuration is for ${connection.server} and not for ${server.origin}: name the right one with --kubeconfig or --context`,
    );
  using client = new Client(connection);
  const signal = AbortSignal.timeout(patience);
  const {groups} = await client.getJson<{groups: {name: string}[]}>('/apis', {signal});
  const group = groups.find(({name}) => name.startsWith('apiextensions.'))?.name;
  if (group === undefined) throw new Error(`${connection.server} has no CustomResourceDefinitions`);
  const found: object[] = [];
  let token = '';
  do {
    const query = `limit=${pageSize}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
    const path = `/apis/${group}/v1/customresourcedefinitions?${query}`;
    const page = await client.getJson<{items?: object[]; metadata?: {continue?: string}}>(path, {signal});
    found.push(...(page.items ?? []));
    token = page.metadata?.continue ?? '';
  } while (token !== '');
  return found;
}
