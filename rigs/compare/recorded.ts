import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync, brotliDecompressSync, constants} from 'node:zlib';
import {projectRoot} from '../../test/helpers/project-root.js';
import type {Answer} from './answers.js';
import type {CompareRequest} from './compare-request.js';

/** A request, and what a real server of a release answered. */
export interface RecordedAnswer {
  readonly request: CompareRequest;
  readonly answer: Answer;
}

const folder = join(projectRoot(), 'rigs/compare/recorded');
const ending = '.jsonl.br';
const fileOf = (release: string, kind: string) => join(folder, release, `${kind}${ending}`);
/** Large enough for all: the same objects come again and again. */
const windowBits = 24;

export function recordedReleases(): string[] {
  return readdirSync(folder).filter((name) => /^\d+\.\d+$/.test(name));
}

/** The kinds of requests of which there are answers of a release. */
export function recordedKinds(release: string): string[] {
  return readdirSync(join(folder, release)).flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
}

export function readRecorded(release: string, kind: string): RecordedAnswer[] {
  return brotliDecompressSync(readFileSync(fileOf(release, kind)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedAnswer);
}

export function writeRecorded(release: string, kind: string, answers: readonly RecordedAnswer[]): void {
  mkdirSync(join(folder, release), {recursive: true});
  const text = answers.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(
    fileOf(release, kind),
    brotliCompressSync(text, {params: {[constants.BROTLI_PARAM_LGWIN]: windowBits, [constants.BROTLI_PARAM_QUALITY]: 9}}),
  );
}

/** The test sends one in so many of the recorded requests, beside those of the kind `objects`. */
export const testedOneIn = 8;

const openFile = join(folder, 'open.json');

/** By release and kind of request, how many differences are neither mended nor known, among the requests that the test sends. */
export type OpenDifferences = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function openDifferences(): OpenDifferences {
  return JSON.parse(readFileSync(openFile, 'utf8')) as OpenDifferences;
}

export function writeOpenDifferences(open: OpenDifferences): void {
  writeFileSync(openFile, `${JSON.stringify(open, undefined, 2)}\n`);
}
