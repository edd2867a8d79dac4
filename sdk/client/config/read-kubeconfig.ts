import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {ClusterEntry, ContextEntry, Kubeconfig, Placed, UserEntry} from './kubeconfig.js';

/** The merged entries of configuration files. */
export interface KubeconfigEntries {
  readonly currentContext: string;
  readonly clusters: readonly Placed<ClusterEntry>[];
  readonly users: readonly Placed<UserEntry>[];
  readonly contexts: readonly Placed<ContextEntry>[];
}

/**
 * Reads configuration files. If several contain an entry with the same name or a current context, the first one counts.
 *
 * @throws Error with the file's path if a file is unreadable or invalid
 */
export async function readKubeconfig(files: readonly string[]): Promise<KubeconfigEntries> {
  const parsed = await Promise.all(files.map(async (file) => ({file: resolve(file), config: await parse(resolve(file))})));
  const collect = <T>(entriesOf: (config: Kubeconfig) => readonly {name: string; entry: T}[]) => {
    const found = new Map<string, Placed<T>>();
    for (const {file, config} of parsed) {
      for (const {name, entry} of entriesOf(config)) if (!found.has(name)) found.set(name, {name, entry: entry ?? ({} as T), file});
    }
    return [...found.values()];
  };
  return {
    currentContext: parsed.map(({config}) => config['current-context']).find(Boolean) ?? '',
    clusters: collect((config) => (config.clusters ?? []).map(({name, cluster: entry}) => ({name, entry}))),
    users: collect((config) => (config.users ?? []).map(({name, user: entry}) => ({name, entry}))),
    contexts: collect((config) => (config.contexts ?? []).map(({name, context: entry}) => ({name, entry}))),
  };
}

async function parse(file: string): Promise<Kubeconfig> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`cannot read the client configuration ${file}: ${(error as Error).message}`, {cause: error});
  });
  const value = await parseYaml(text, file);
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Error(`${file} is not a client configuration: it does not contain an object`);
  const {kind} = value as {kind?: unknown};
  if (kind !== undefined && kind !== 'Config')
    throw new Error(`${file} is not a client configuration: its kind is ${JSON.stringify(kind)}`);
  return value;
}

async function parseYaml(text: string, file: string): Promise<unknown> {
  // Loaded on demand: most programs inside a server never read such a file.
  const {loadAll} = await import('js-yaml');
  try {
    // `load` rejects an empty file, which is a configuration without entries.
    return loadAll(text)[0];
  } catch (error) {
    throw new Error(`${file} is not a client configuration: ${(error as Error).message}`, {cause: error});
  }
}
