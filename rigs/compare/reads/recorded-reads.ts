import {existsSync, readdirSync, readFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync, brotliDecompressSync, constants} from 'node:zlib';
import {projectRoot} from '../../../test/helpers/project-root.js';
import type {ReadAnswer} from './read-answers.js';
import type {ReadRequest} from './read-requests.js';

/** A request, and what a real server of a release answered. */
export interface RecordedRead {
  readonly request: ReadRequest;
  readonly answer: ReadAnswer;
}

const folder = join(projectRoot(), 'rigs/compare/recorded/reads');
const ending = '.jsonl.br';

export function releasesWithReads(): string[] {
  return existsSync(folder) ? readdirSync(folder).flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : [])) : [];
}

export function readRecordedReads(release: string): RecordedRead[] {
  return brotliDecompressSync(readFileSync(join(folder, release + ending)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedRead);
}

export function writeRecordedReads(release: string, answers: readonly RecordedRead[]): void {
  const text = answers.map((one) => `${JSON.stringify(one)}\n`).join('');
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, release + ending), brotliCompressSync(text, {params: {[constants.BROTLI_PARAM_QUALITY]: 9}}));
}
