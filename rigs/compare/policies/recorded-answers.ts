import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {brotliCompressSync, brotliDecompressSync} from 'node:zlib';
import {projectRoot} from '../../../test/helpers/project-root.js';
import type {PolicyAnswer} from './run-cases.js';

const folder = join(projectRoot(), 'rigs/compare/recorded/policies');
const ending = '.json.br';

/** Releases whose answers are recorded. */
export function recordedReleases(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
}

/** What a real server of a release answered, by what it was asked. */
export function readAnswers(release: string): ReadonlyMap<string, PolicyAnswer> {
  const text = brotliDecompressSync(readFileSync(join(folder, release + ending))).toString();
  return new Map(Object.entries(JSON.parse(text) as Record<string, PolicyAnswer>));
}

export function writeAnswers(release: string, answers: ReadonlyMap<string, PolicyAnswer>): void {
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, release + ending), brotliCompressSync(JSON.stringify(Object.fromEntries(answers))));
}
