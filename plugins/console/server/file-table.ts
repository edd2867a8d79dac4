import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {brotliDecompressSync} from 'node:zlib';

/** A file of the pages, as the build lists it. */
export interface ListedFile {
  /** Below `/console/`: `assets/main-1a2b3c4d.js`; `index.html` is the page. */
  readonly path: string;
  readonly type: string;
  /** Changes with the contents. */
  readonly tag: string;
}

/** One of them with its bytes. */
export interface PageFile extends ListedFile {
  readonly compressed: Buffer;
  plain(): Buffer;
}

const folder = new URL('files/', import.meta.url);

/**
 * The files that the build has made (scripts/console). Requests are looked up in their table: no path of a request ever becomes one of the file system. They are
 * kept compressed, each from its first request on.
 */
export class FileTable {
  #listed: ReadonlyMap<string, ListedFile & {readonly file: string}> | undefined;
  readonly #read = new Map<string, PageFile>();

  /** @throws Error if the build has made none */
  find(path: string): PageFile | undefined {
    const known = this.#read.get(path);
    if (known) return known;
    const listed = (this.#listed ??= readTable()).get(path);
    if (!listed) return undefined;
    const compressed = readFileSync(fileURLToPath(new URL(listed.file, folder)));
    // Nearly all browsers take them as they are.
    const found: PageFile = {...listed, compressed, plain: () => brotliDecompressSync(compressed)};
    this.#read.set(path, found);
    return found;
  }
}

function readTable(): ReadonlyMap<string, ListedFile & {readonly file: string}> {
  const text = readFileSync(fileURLToPath(new URL('table.json', folder)), 'utf8');
  const files = JSON.parse(text) as readonly (ListedFile & {readonly file: string})[];
  return new Map(files.map((file) => [file.path, file]));
}
