import {existsSync, readFileSync} from 'node:fs';
import {SourceMap, type SourceMapPayload} from 'node:module';
import {dirname, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

/** A function as V8 knows it. Lines and columns begin with 0. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Where a function stands. */
export interface Place {
  /** From the folder of the project; that of the bundle for packages, a name in brackets for what is no file. */
  readonly file: string;
  /** 0 where it is not known. */
  readonly line: number;
}

/** Finds the sources of functions in the bundle. */
export class SourcePlaces {
  readonly #maps = new Map<string, SourceMap | undefined>();

  of({url, lineNumber, columnNumber}: CallFrame): Place {
    if (url === '') return {file: '[v8]', line: 0};
    if (!url.startsWith('file:')) return {file: url, line: lineNumber + 1};
    const file = fileURLToPath(url);
    const entry = this.#mapOf(file)?.findEntry(lineNumber, columnNumber);
    // What comes from packages has no source: the nearest entry before it would be another file's.
    if (entry && 'originalSource' in entry && entry.generatedLine === lineNumber) {
      return {file: relative(process.cwd(), resolve(dirname(file), entry.originalSource)), line: entry.originalLine + 1};
    }
    return {file: relative(process.cwd(), file), line: lineNumber + 1};
  }

  #mapOf(file: string): SourceMap | undefined {
    if (!this.#maps.has(file)) {
      const path = `${file}.map`;
      const map = existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload) : undefined;
      this.#maps.set(file, map);
    }
    return this.#maps.get(file);
  }
}
