import {spawnSync} from 'node:child_process';
import {cpus, loadavg, totalmem} from 'node:os';
import type {ComparisonCell} from './comparison-cell.js';
import {figure, memoryRows} from './comparison-report.js';
import type {ComparisonResult} from './measure-comparison.js';
import type {BenchOptions} from './options.js';
import {tableMarkdown} from './table-text.js';

/** Rows of the short table. */
const telling = ['create', 'get', 'list of 500, gzip', 'apply', 'event to a watch'];

const titles: Readonly<Record<string, string>> = {
  floor: 'bare server',
  memory: 'Orch, in memory',
  embedded: 'Orch, embedded',
  redis: 'Orch, Redis',
  'kube-apiserver': 'kube-apiserver, etcd',
};

/** Where and when figures were made: one sentence. */
export interface Circumstances {
  readonly date: Date;
  readonly machine: string;
  /** Work of others before the run began: the average number of processes that ran or wanted to. */
  readonly load: number;
  readonly versions: readonly string[];
}

/** To be asked for before anything is measured. */
export function circumstances({peer, subjects, redisFsync}: BenchOptions): Circumstances {
  const version = (name: string, program: string, further = '') => {
    const [found] = /\d+\.\d+\.\d+/.exec(spawnSync(program, ['--version'], {encoding: 'utf8'}).stdout ?? '') ?? [];
    return `${name}${found === undefined ? '' : ` ${found}`}${further}`;
  };
  return {
    date: new Date(),
    machine: `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
    load: loadavg()[0]!,
    versions: [
      `Node.js ${process.versions.node}`,
      ...(subjects.includes('redis') ? [version('Redis', 'redis-server', ` with \`appendfsync ${redisFsync}\``)] : []),
      ...(peer ? [version('kube-apiserver', peer.kubeApiserver), version('etcd', peer.etcd)] : []),
    ],
  };
}

/** Tables for pages of Markdown by their names: all rows, and those that tell most. */
export function comparisonMarkdown(result: ComparisonResult, where: Circumstances): ReadonlyMap<string, string> {
  return new Map([
    ['comparison', [sentence(result, where), processorTable(result), latencyTable(result), memoryTable(result)].join('\n\n')],
    ['comparison in short', [sentence(result, where), shortTable(result)].join('\n\n')],
  ]);
}

function sentence({turns}: ComparisonResult, {date, machine, load, versions}: Circumstances): string {
  const others = load > 1 ? `, with other work (load ${load.toFixed(1)} before it began)` : '';
  return `Measured on ${date.toISOString().slice(0, 10)}, ${turns} ${turns === 1 ? 'turn' : 'turns'}, on ${machine}${others}: ${versions.join(', ')}.`;
}

function processorTable({subjects, rows, turns}: ComparisonResult): string {
  const pair = pairOf(subjects);
  return tableMarkdown([
    ['CPU s for 1,000', ...subjects.map(title), ...(pair ? ['kube-apiserver : embedded'] : [])],
    ...rows.map(({name, cells}) => [
      name,
      ...cells.map((cell) => (cell ? cost(cell, turns > 1) : '')),
      ...(pair ? [timesOf(cells, pair)] : []),
    ]),
  ]);
}

function latencyTable({subjects, rows}: ComparisonResult): string {
  return tableMarkdown([
    ['p99, ms', ...subjects.map(title)],
    ...rows.map(({name, cells}) => [name, ...cells.map((cell) => (cell ? figure(cell.p99) : ''))]),
  ]);
}

function memoryTable({subjects, memory}: ComparisonResult): string {
  return tableMarkdown([['resident, MB', ...subjects.map(title)], ...memoryRows(memory)]);
}

function shortTable({subjects, rows, memory}: ComparisonResult): string {
  const shown = subjects.flatMap((name, place) => (name === 'floor' || name === 'memory' ? [] : [place]));
  const pair = pairOf(subjects);
  const resident = (place: number) => `${figure(memory[place]!.idle)} · ${figure(memory[place]!.loaded)}`;
  return tableMarkdown([
    ['CPU s for 1,000', ...shown.map((place) => title(subjects[place]!)), ...(pair ? ['times less'] : [])],
    ...rows
      .filter(({name}) => telling.includes(name))
      .map(({name, cells}) => [
        name,
        ...shown.map((place) => (cells[place] ? figure(cells[place].cpu) : '')),
        ...(pair ? [timesOf(cells, pair)] : []),
      ]),
    [
      'resident MB, idle · after all of it',
      ...shown.map(resident),
      ...(pair ? [(memory[pair.peer]!.loaded / memory[pair.own]!.loaded).toFixed(1)] : []),
    ],
  ]);
}

/** The two that keep on disk what they answer. */
interface Pair {
  readonly own: number;
  readonly peer: number;
}

function pairOf(subjects: readonly string[]): Pair | undefined {
  const [own, peer] = [subjects.indexOf('embedded'), subjects.indexOf('kube-apiserver')];
  return own < 0 || peer < 0 ? undefined : {own, peer};
}

function timesOf(cells: readonly (ComparisonCell | undefined)[], {own, peer}: Pair): string {
  return cells[own] && cells[peer] ? (cells[peer].cpu / cells[own].cpu).toFixed(1) : '';
}

/** @param hasSpread one turn has none */
function cost({cpu, spread, timesFloor, failures}: ComparisonCell, hasSpread: boolean): string {
  return [
    `${figure(cpu)}${hasSpread ? ` ±${(spread * 100).toFixed(0)} %` : ''}`,
    ...(timesFloor === undefined || timesFloor === 1 ? [] : [`×${timesFloor.toFixed(1)}`]),
    ...(failures > 0 ? [`${failures} failed`] : []),
  ].join(', ');
}

const title = (subject: string) => titles[subject] ?? `Orch, ${subject}`;
