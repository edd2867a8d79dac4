import {createHash} from 'node:crypto';
import {readdir, readFile, stat} from 'node:fs/promises';
import {extname, join} from 'node:path';
import type {JsonValue} from '../../../sdk/index.js';

/** Bounds of a folder: what is above is refused as a whole. */
const maximumFiles = 1000;
const maximumBytes = 16 * 1024 * 1024;

const endings: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/** A document of a file. */
export interface FileDocument {
  /** Path of the file. */
  readonly file: string;
  readonly value: JsonValue;
}

/** What is in the files of a folder. */
export interface ManifestFiles {
  readonly documents: readonly FileDocument[];
  /** Of the content of all files: `sha256:…`; empty without any. */
  readonly hash: string;
}

/** The files that are read, by name. Folders below are passed over. */
async function filesIn(folder: string): Promise<string[]> {
  let entries;
  try {
    entries = await readdir(folder, {withFileTypes: true});
  } catch (error) {
    throw new Error(`failed to read manifest directory ${JSON.stringify(folder)}: ${(error as Error).message}`);
  }
  const names = entries.filter((entry) => !entry.isDirectory() && endings.has(extname(entry.name).toLowerCase())).map(({name}) => name);
  if (names.length > maximumFiles) throw new Error(`the folder ${folder} has ${names.length} files, and at most ${maximumFiles} are read`);
  return names.sort((one, other) => (one < other ? -1 : 1)).map((name) => join(folder, name));
}

/** Reads all YAML and JSON of a folder, file by file in alphabetical order. @throws Error in one sentence */
export async function readManifestFiles(folder: string): Promise<ManifestFiles> {
  const documents: FileDocument[] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  for (const file of await filesIn(folder)) {
    const content = await contentOf(file);
    if (content.length === 0) continue;
    bytes += content.length;
    if (bytes > maximumBytes) throw new Error(`the files in ${folder} have more than ${maximumBytes} bytes`);
    hash.update(content).update('\0');
    for (const value of await documentsOf(file, content)) documents.push({file, value});
  }
  return {documents, hash: bytes === 0 ? '' : `sha256:${hash.digest('hex')}`};
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    const {size} = await stat(file);
    if (size > maximumBytes) throw new Error(`it has ${size} bytes, and at most ${maximumBytes} are read`);
    return await readFile(file);
  } catch (error) {
    throw new Error(`failed to read file ${JSON.stringify(file)}: ${(error as Error).message}`);
  }
}

async function documentsOf(file: string, content: Buffer): Promise<JsonValue[]> {
  const {loadAll} = await import('js-yaml');
  try {
    return (loadAll(content.toString('utf8')) as JsonValue[]).filter((value) => value !== null && value !== undefined);
  } catch (error) {
    throw new Error(`error loading ${file}: ${(error as Error).message.split('\n')[0]!}`);
  }
}

/** Changes when a file of the folder does, or comes, or goes. */
export async function folderMark(folder: string): Promise<string> {
  try {
    const marks = [];
    for (const file of await filesIn(folder)) {
      const {mtimeMs, ctimeMs, size, ino} = await stat(file);
      marks.push(`${file} ${mtimeMs} ${ctimeMs} ${size} ${ino}`);
    }
    return marks.join('\n');
  } catch (error) {
    return String(error);
  }
}
