import {readFileSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import type {ResourceVersionDefinition} from '../../sdk/index.js';
import {schemaMark} from '../api/types/schema-mark.js';
import {KERNEL_VERSION} from '../kernel/kernel-version.js';

/** Marks the schemas of versions that plugins contribute. Reads each file once, when the first of its types is used. */
export class SchemaFileMarks {
  readonly #files = new Map<string, string>();
  readonly #release: string;

  constructor(release: string) {
    this.#release = release;
  }

  /**
   * The mark of a version's schema. Its file holds all releases, and may refer to others, which change with the server only: so the release and the server's version count too.
   *
   * @param folder what file names are relative to
   */
  of({name, schema}: ResourceVersionDefinition, folder: string): number {
    if (typeof schema !== 'string') return schemaMark(KERNEL_VERSION, name, JSON.stringify(schema));
    const [file = ''] = schema.split('#', 1);
    const content = file.endsWith('.json') ? this.#contentOf(isAbsolute(file) ? file : join(folder, file)) : '';
    return schemaMark(KERNEL_VERSION, this.#release, name, schema, content);
  }

  #contentOf(path: string): string {
    let content = this.#files.get(path);
    if (content === undefined) this.#files.set(path, (content = String(schemaMark(readFileSync(path, 'utf8')))));
    return content;
  }
}
