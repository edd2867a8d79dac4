import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {projectRoot} from '../../test/helpers/project-root.js';
import {Cluster, type ClusterClient} from './cluster.js';
import type {MetricsServer} from './metrics-server.js';
import type {Scenario} from './scenarios/index.js';
import type {Snapshot} from './snapshot.js';

/** What there was after each step. */
export type History = readonly {readonly step: string; readonly objects: Snapshot}[];

/** Plays a scenario in a namespace of its own. */
export async function playScenario(client: ClusterClient, {name, run}: Scenario, metrics: MetricsServer): Promise<History> {
  const cluster = await Cluster.open(client, name, metrics.of(name));
  await run(cluster);
  return cluster.steps;
}

/** What a real kube-controller-manager made of a scenario; undefined if nobody has recorded it. */
export function recordedHistory(release: string, {name}: Scenario): History | undefined {
  const file = fileOf(release, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as History) : undefined;
}

export function recordHistory(release: string, {name}: Scenario, history: History): void {
  mkdirSync(folderOf(release), {recursive: true});
  writeFileSync(fileOf(release, name), `${JSON.stringify(history, undefined, 1)}\n`);
}

/** Where two histories differ first, in words; undefined if they are the same. */
export function firstDifference(real: History, own: History): string | undefined {
  for (const [index, {step, objects}] of real.entries()) {
    const mine = own[index];
    if (mine?.step !== step)
      return `after ${real[index - 1]?.step ?? 'the beginning'}: the real one comes to "${step}", ours to "${mine?.step}"`;
    for (const resource of new Set([...Object.keys(objects), ...Object.keys(mine.objects)])) {
      const texts = objects[resource] ?? [];
      const others = mine.objects[resource] ?? [];
      const missing = texts.filter((text) => !others.includes(text));
      const surplus = others.filter((text) => !texts.includes(text));
      if (missing.length > 0 || surplus.length > 0 || texts.length !== others.length)
        return [`${step}, ${resource}:`, ...missing.map((text) => `  real ${text}`), ...surplus.map((text) => `  own  ${text}`)].join('\n');
    }
  }
  return own.length === real.length ? undefined : `ours goes on: "${own[real.length]?.step}"`;
}

function folderOf(release: string): string {
  return `${projectRoot()}/rigs/workloads/recorded/${release}`;
}

function fileOf(release: string, name: string): string {
  return `${folderOf(release)}/${name}.json`;
}
