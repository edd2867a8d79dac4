import {LoadProcess} from '../bench/load-process.js';
import {median} from '../bench/percentile.js';
import {cpuSeconds} from '../bench/process-usage.js';
import type {Measurement} from '../bench/work.js';
import {httpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import {growthPlans, leastObjects, measuredNamespace, type GrowthPlan, type GrowthWork} from './growth-plans.js';

/** What a kind of work takes at each number. */
export interface GrowthCurve extends GrowthWork {
  /** Microseconds of the server's processor for each operation. */
  readonly micros: readonly number[];
  /** Milliseconds. */
  readonly p99: readonly number[];
}

export interface Growth {
  readonly name: string;
  readonly points: readonly number[];
  readonly curves: readonly GrowthCurve[];
}

/** Operations of one measurement, and how many of these make a figure. */
const operations: Readonly<Record<string, number>> = {get: 1_500, 'list of 20': 200, 'list by label': 30, update: 400, 'merge patch': 400};
const repeats = 3;
/** Events of one measurement, about. */
const events = 20_000;

/** Names of what can grow. */
export const growthNames: readonly string[] = growthPlans.map(({name}) => name);

/** Has servers of their own grow in one way each. @param names of those that are wanted; all where there are none */
export async function measureGrowth(names: readonly string[], isLarge: boolean, progress: (text: string) => void): Promise<Growth[]> {
  const found: Growth[] = [];
  for (const plan of growthPlans) {
    if (names.length === 0 || names.some((name) => plan.name.startsWith(name))) found.push(await measurePlan(plan, isLarge, progress));
  }
  return found;
}

async function measurePlan(plan: GrowthPlan, isLarge: boolean, progress: (text: string) => void): Promise<Growth> {
  const server = await spawnOrch({store: 'memory', platform: 'kubernetes'});
  const load = new LoadProcess();
  const client = httpsClient({teardown: () => undefined}, server);
  try {
    await load.run({kind: 'connect', targets: [server], concurrency: 8});
    await load.run({kind: 'namespace', name: measuredNamespace});
    const kept = {kind: 'requests', namespace: measuredNamespace, maxSeconds: 60} as const;
    await load.run({...kept, work: 'create', count: leastObjects, objects: leastObjects});
    // What runs for the first time is compiled meanwhile.
    for (const [work, count] of [
      ['get', 5_000],
      ['update', 3_000],
      ['list of 20', 500],
    ] as const) {
      await load.run({...kept, work, count, objects: leastObjects});
    }
    const points = isLarge ? [...plan.points, ...plan.large] : plan.points;
    const curves = plan.works.map((work) => ({...work, micros: [] as number[], p99: [] as number[]}));
    for (const [place, point] of points.entries()) {
      progress(`${plan.name}: ${point}`);
      await plan.grow({client, load}, place === 0 ? 0 : points[place - 1]!, point);
      const objects = plan.objects?.(point) ?? leastObjects;
      const run = ({name}: GrowthWork): Promise<Measurement> =>
        name === 'event to a watch'
          ? load.run({
              kind: 'watch',
              namespace: measuredNamespace,
              writes: Math.ceil(Math.min(500, events / point)),
              maxSeconds: 60,
              objects,
            })
          : load.run({...kept, work: name, count: operations[name]!, objects});
      if (place === 0) for (const curve of curves) await run(curve);
      const turns = curves.map(() => [] as {micros: number; p99: number}[]);
      for (let turn = 0; turn < repeats; turn += 1) {
        for (const [at, curve] of curves.entries()) {
          const before = cpuSeconds([server.pid]);
          const done = await run(curve);
          if (done.failures > 0) throw new Error(`${plan.name}, ${point}: ${curve.name}: ${done.firstFailure}`);
          turns[at]!.push({micros: ((cpuSeconds([server.pid]) - before) * 1e6) / done.operations, p99: done.p99});
        }
      }
      for (const [at, curve] of curves.entries()) {
        curve.micros.push(median(turns[at]!.map(({micros}) => micros)));
        curve.p99.push(median(turns[at]!.map(({p99}) => p99)));
      }
    }
    return {name: plan.name, points, curves};
  } finally {
    client.close();
    await load.close();
    await server.stop();
  }
}
