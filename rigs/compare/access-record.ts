import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {projectRoot} from '../../test/helpers/project-root.js';
import type {AccessAnswer} from './access-answers.js';

/** What a kube-apiserver of a release says about access. */
export interface AccessRecord {
  /** For each configuration what is wrong with it; null where it can be used. */
  readonly faults: readonly (string | null)[];
  /** For each request. */
  readonly answers: readonly AccessAnswer[];
}

const fileOf = (release: string) => join(projectRoot(), 'rigs/compare/recorded', `access-${release}.json`);

/** Releases of which there are records. */
export const accessReleases = ['1.30', '1.36'].filter((release) => existsSync(fileOf(release)));

export function readAccess(release: string): AccessRecord {
  return JSON.parse(readFileSync(fileOf(release), 'utf8')) as AccessRecord;
}

/** One line for each answer, so that changes can be read. */
export function writeAccess(release: string, {faults, answers}: AccessRecord): void {
  const lines = (values: readonly unknown[]) => values.map((value) => `    ${JSON.stringify(value)}`).join(',\n');
  writeFileSync(fileOf(release), `{\n  "faults": [\n${lines(faults)}\n  ],\n  "answers": [\n${lines(answers)}\n  ]\n}\n`);
}
