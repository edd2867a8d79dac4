import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {loadAll} from 'js-yaml';
import type {ApiObject} from '../../sdk/index.js';
import {projectRoot} from './project-root.js';

export interface Manifest {
  /** Relative to the folder. */
  readonly file: string;
  readonly object: ApiObject;
}

/** A folder of `test/fixtures/manifests`. */
export function manifestFolder(name: string): string {
  return join(projectRoot(), 'test/fixtures/manifests', name);
}

/** Everything that the files of a folder hold, in the order of their names; lists are unpacked. */
export function manifestsIn(name: string): Manifest[] {
  const folder = manifestFolder(name);
  const files = readdirSync(folder)
    .filter((file) => /\.(ya?ml|json)$/.test(file))
    .sort();
  return files.flatMap((file) =>
    (loadAll(readFileSync(join(folder, file), 'utf8')) as (ApiObject | null)[])
      .flatMap((document) => (document && 'items' in document ? (document['items'] as unknown as ApiObject[]) : (document ?? [])))
      .map((object) => ({file, object})),
  );
}
