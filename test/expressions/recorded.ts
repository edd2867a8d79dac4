import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync, brotliDecompressSync, constants} from 'node:zlib';
import {projectRoot} from '../helpers/project-root.js';
import type {CaseAnswer, ExpressionCase} from './expression-case.js';

/** An expression, and what a real server of a release says of it. */
export interface RecordedCase {
  readonly one: ExpressionCase;
  readonly answer: CaseAnswer;
}

const folder = join(projectRoot(), 'test/expressions/recorded');
const fileOf = (release: string) => join(folder, `${release}.jsonl.br`);
const openFile = join(folder, 'open.json');
/** Large enough for all: the same schemas and values come again and again. */
const windowBits = 24;

export function recordedReleases(): string[] {
  return readdirSync(folder).flatMap((name) => (name.endsWith('.jsonl.br') ? [name.slice(0, -'.jsonl.br'.length)] : []));
}

/** How many differences are open, by release: they may only become fewer. */
export function openDifferences(): Record<string, number> {
  return JSON.parse(readFileSync(openFile, 'utf8')) as Record<string, number>;
}

export function writeOpenDifferences(counts: Readonly<Record<string, number>>): void {
  writeFileSync(openFile, `${JSON.stringify(counts, null, 2)}\n`);
}

export function readRecorded(release: string): RecordedCase[] {
  return brotliDecompressSync(readFileSync(fileOf(release)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCase);
}

export function writeRecorded(release: string, cases: readonly RecordedCase[]): void {
  const text = cases.map((one) => `${JSON.stringify(one)}\n`).join('');
  const params = {[constants.BROTLI_PARAM_LGWIN]: windowBits, [constants.BROTLI_PARAM_QUALITY]: 9};
  writeFileSync(fileOf(release), brotliCompressSync(text, {params}));
}
