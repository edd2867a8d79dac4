import {residentMegabytes} from '../bench/process-usage.js';
import {Growing} from './growing.js';
import {middle, repeats, type Figures, type Growth, type Value} from './growth.js';
import {growthPlans, oneMore, type GrowthPlan} from './growth-plans.js';
import {measureServersOnRedis, serversOnRedis} from './measure-servers-on-redis.js';

/** Names of what can grow. */
export const growthNames: readonly string[] = [...growthPlans.map(({name}) => name), serversOnRedis];

/** Has servers of their own grow in one way each. @param names of those that are wanted; all where there are none */
export async function measureGrowth(names: readonly string[], isLarge: boolean, progress: (text: string) => void): Promise<Growth[]> {
  const isWanted = (name: string) => names.length === 0 || names.some((beginning) => name.startsWith(beginning));
  const found: Growth[] = [];
  for (const plan of growthPlans) {
    if (isWanted(plan.name)) found.push(await measurePlan(plan, isLarge ? [...plan.points, ...plan.large] : plan.points, progress));
  }
  if (isWanted(serversOnRedis)) found.push(await measureServersOnRedis(isLarge, progress));
  return found;
}

async function measurePlan(plan: GrowthPlan, points: readonly number[], progress: (text: string) => void): Promise<Growth> {
  const curves = plan.works.map((work) => ({...work, name: work.title ?? work.name, micros: [] as Value[], p99: [] as Value[]}));
  const memory: number[] = [];
  let growing: Growing | undefined;
  try {
    for (const [place, point] of points.entries()) {
      progress(`${plan.name}: ${point}`);
      if (!growing || !plan.grow) {
        await growing?.close();
        growing = undefined;
        growing = await Growing.start(plan, plan.grow ? undefined : point);
      }
      const made = await growing.grow(place === 0 ? 0 : points[place - 1]!, point);
      memory.push(residentMegabytes(growing.server.pid).own);
      const turns = plan.works.map(() => [] as Figures[]);
      for (let turn = -1; turn < repeats; turn += 1) {
        for (const [at, work] of plan.works.entries()) {
          // The first turn is for what runs for the first time, and is compiled.
          const figures = work.name === oneMore ? made : await growing.measure(work, point, turn < 0 ? 3 : 1);
          if (turn >= 0) turns[at]!.push(figures);
        }
        // Indexes are made meanwhile.
        if (turn < 0) await growing.settle();
      }
      for (const [at, curve] of curves.entries()) {
        curve.micros.push(middle(turns[at]!.map(({micros}) => micros)));
        curve.p99.push(middle(turns[at]!.map(({p99}) => p99)));
      }
    }
    return {name: plan.name, points, curves, memory};
  } finally {
    await growing?.close();
  }
}
