import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync, brotliDecompressSync, constants} from 'node:zlib';
import {projectRoot} from '../../test/helpers/project-root.js';
import type {Answer} from './answers.js';
import type {CompareRequest} from './requests.js';

/** A request, and what a real server of a release answered. */
export interface RecordedAnswer {
  readonly request: CompareRequest;
  readonly answer: Answer;
}

const folder = join(projectRoot(), 'rigs/compare/recorded');
const fileOf = (release: string) => join(folder, `${release}.jsonl.br`);
/** Large enough for all: the same objects come again and again. */
const windowBits = 24;

export function recordedReleases(): string[] {
  return readdirSync(folder).flatMap((name) => (name.endsWith('.jsonl.br') ? [name.slice(0, -'.jsonl.br'.length)] : []));
}

export function readRecorded(release: string): RecordedAnswer[] {
  return brotliDecompressSync(readFileSync(fileOf(release)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedAnswer);
}

export function writeRecorded(release: string, answers: readonly RecordedAnswer[]): void {
  const text = answers.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(
    fileOf(release),
    brotliCompressSync(text, {params: {[constants.BROTLI_PARAM_LGWIN]: windowBits, [constants.BROTLI_PARAM_QUALITY]: 9}}),
  );
}

const openFile = join(folder, 'open.json');

/** By release, how many differences are neither mended nor known. */
export function openDifferences(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(openFile, 'utf8')) as Record<string, number>;
}

export function writeOpenDifferences(open: Readonly<Record<string, number>>): void {
  writeFileSync(openFile, `${JSON.stringify(open, undefined, 2)}\n`);
}
