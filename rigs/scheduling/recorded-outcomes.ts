import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {projectRoot} from '../../test/helpers/project-root.js';
import type {Outcome} from './play-situation.js';

/** What a real kube-scheduler made of situations, by their names; nothing if nobody has recorded it. */
export function recordedOutcomes(release: string): Record<string, Outcome> {
  const file = fileOf(release);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Outcome>) : {};
}

export function recordOutcomes(release: string, outcomes: Readonly<Record<string, Outcome>>): void {
  mkdirSync(dirname(fileOf(release)), {recursive: true});
  writeFileSync(fileOf(release), `${JSON.stringify(outcomes, undefined, 1)}\n`);
}

function fileOf(release: string): string {
  return `${projectRoot()}/rigs/scheduling/recorded/${release}.json`;
}
