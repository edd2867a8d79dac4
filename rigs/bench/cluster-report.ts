import type {ClusterResult} from './measure-cluster.js';
import {tableText} from './table-text.js';

const goals = {readySeconds: 0.7, deploymentMillis: 300, megabytes: 1500, restProcessor: 3, decisionsPerSecond: 1000};
/** What KWOK publishes of itself: pods a second on a thousand nodes, beside a control plane. */
const published = 20;

/** The figures of clusters as a table, and what comes of the goals. */
export function clusterReport(result: ClusterResult): string {
  const {nodes, pods, runningSeconds, processorSeconds, decisionsPerSecond, rolled, rollSeconds, rolledMegabytes} = result;
  const table = tableText([
    ['what', 'value', 'goal', ''],
    row('ready with 3 nodes, s', result.readySeconds, goals.readySeconds),
    row('a Deployment of 3 available, ms', result.deploymentMillis, goals.deploymentMillis),
    row(`resident with ${pods} pods, MB`, result.megabytes, goals.megabytes),
    row(`processor at rest with ${nodes} nodes, %`, result.restProcessor.at(-1)!, goals.restProcessor),
    [
      'pods that the scheduler decides about in a second of its own',
      decisionsPerSecond.toFixed(0),
      String(goals.decisionsPerSecond),
      decisionsPerSecond >= goals.decisionsPerSecond ? 'met' : 'missed',
    ],
  ]);
  const speed = `${pods} pods on ${nodes} nodes available after ${runningSeconds.toFixed(0)} s (${(pods / runningSeconds).toFixed(0)} a second; KWOK names ${published}), ${processorSeconds.toFixed(0)} s of the processor`;
  const rest = [result.soonProcessor, ...result.restProcessor].map((percent) => percent.toFixed(1)).join(', ');
  const resting = `processor at rest: half a minute soon after all pods are there, then minute by minute: ${rest} %`;
  return `a cluster with simulated nodes, memory store\n${table}\n  ${resting}\n  ${speed}; ${rolled} rolled over in ${rollSeconds.toFixed(0)} s, ${rolledMegabytes.toFixed(0)} MB at most`;
}

function row(what: string, value: number, goal: number): string[] {
  return [what, value.toFixed(2), String(goal), value <= goal ? 'met' : 'missed'];
}
