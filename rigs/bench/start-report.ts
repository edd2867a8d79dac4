import type {StartResult} from './measure-start.js';
import {tableText} from './table-text.js';

const goals = {readyMillis: 450, stopMillis: 150, pairsMillis: 4000, loaded: 130, left: 0};

/** What test suites wait for and pay, as a table with the goals. */
export function startReport({bareMillis, readyMillis, cpuMillis, stopMillis, starts, pairs, memory, left}: StartResult): string {
  const row = (what: string, value: number, unit: string, goal?: number, more = '') => [
    what,
    `${value.toFixed(0)} ${unit}`,
    goal === undefined ? '' : `${goal} ${unit}`,
    goal === undefined ? '' : value <= goal ? 'met' : 'missed',
    more,
  ];
  const table = tableText([
    ['', 'measured', 'goal', '', ''],
    row('ready (first 200 of /healthz)', readyMillis, 'ms', goals.readyMillis, `${(readyMillis / bareMillis).toFixed(1)} times node -e 0`),
    row('processor until then', cpuMillis, 'ms'),
    row('stopped after SIGTERM', stopMillis, 'ms', goals.stopMillis),
    row(
      `${pairs.count} pairs at once, all ready`,
      pairs.millis,
      'ms',
      goals.pairsMillis,
      `${(pairs.millis / bareMillis).toFixed(1)} times node -e 0`,
    ),
    row('resident, ready', memory.ready, 'MB'),
    row(`resident, with ${memory.definitions} definitions`, memory.loaded, 'MB', goals.loaded),
    row('of that, not shared with others', memory.own, 'MB'),
    row('resident, etcd', memory.etcd, 'MB'),
    row('files left behind', left, '', goals.left),
  ]);
  return `kube-apiserver and etcd of orch envtest, medians of ${starts} starts on empty folders (node -e 0 takes ${bareMillis.toFixed(0)} ms here)\n${table}`;
}
