import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync, brotliDecompressSync, constants} from 'node:zlib';
import {projectRoot} from '../../../test/helpers/project-root.js';
import type {Answer} from '../answers.js';
import type {Scenario} from './scenario.js';

/** A scenario, and what a real server of a release answered to its requests. */
export interface RecordedScenario {
  readonly scenario: Scenario;
  readonly answers: readonly Answer[];
}

const folder = join(projectRoot(), 'rigs/compare/definitions/recorded');
const ending = '.jsonl.br';
const openFile = join(folder, 'open.json');

export function recordedReleases(): string[] {
  return readdirSync(folder).flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
}

export function readScenarios(release: string): RecordedScenario[] {
  return brotliDecompressSync(readFileSync(join(folder, release + ending)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedScenario);
}

export function writeScenarios(release: string, recorded: readonly RecordedScenario[]): void {
  const text = recorded.map((one) => `${JSON.stringify(one)}\n`).join('');
  writeFileSync(
    join(folder, release + ending),
    brotliCompressSync(text, {params: {[constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 9}}),
  );
}

/** By release, how many differences are neither mended nor known. */
export function openDifferences(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(openFile, 'utf8')) as Record<string, number>;
}

export function writeOpenDifferences(open: Readonly<Record<string, number>>): void {
  writeFileSync(openFile, `${JSON.stringify(open, undefined, 2)}\n`);
}
