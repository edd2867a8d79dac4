// What the controllers cost a server that has nothing to do: time of processor, memory, start. Compares one with all of them to one with the smallest alone.
//
//   node dist/rigs/bench/micro/idle-controllers.js [SECONDS] [STORE URL]
import {readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {spawnOrch} from '../../../test/helpers/orch-process.js';

const seconds = Number(process.argv[2] ?? 30);
const store = process.argv[3];
/** Until what a start leaves behind has been collected. */
const settleSeconds = 15;
const rounds = 3;

interface Cost {
  readonly readyMillis: number;
  readonly memory: number;
  /** Percent of one processor. */
  readonly processor: number;
}

function processorMillis(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

async function measure(controllers: string): Promise<Cost> {
  const orch = await spawnOrch({extra: [`--controllers=${controllers}`], ...(store === undefined ? {} : {store})});
  try {
    await delay(settleSeconds * 1000);
    const before = processorMillis(orch.pid);
    await delay(seconds * 1000);
    const processor = (processorMillis(orch.pid) - before) / (seconds * 10);
    return {readyMillis: orch.readyMillis, memory: memory(orch.pid), processor};
  } finally {
    await orch.stop();
  }
}

const median = (costs: readonly Cost[], of: keyof Cost) =>
  costs.map((cost) => cost[of]).sort((a, b) => a - b)[Math.floor(costs.length / 2)]!;
const results = new Map<string, Cost[]>();
for (let round = 0; round < rounds; round++) {
  for (const controllers of ['service-claims', '*,disruption,statefulset,bootstrapsigner,tokencleaner']) {
    const costs = results.get(controllers) ?? [];
    costs.push(await measure(controllers));
    results.set(controllers, costs);
  }
}
for (const [controllers, costs] of results) {
  console.log(
    `${controllers.padEnd(56)} ready ${median(costs, 'readyMillis').toFixed(0).padStart(5)} ms   memory ${median(costs, 'memory')
      .toFixed(1)
      .padStart(6)} MB   processor ${median(costs, 'processor').toFixed(2)} %`,
  );
}
