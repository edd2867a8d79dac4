import {LoadProcess} from './load-process.js';
import type {BenchOptions} from './options.js';
import type {StartTimes, Subject} from './subject.js';
import {isWatchWork, watchPlans} from './watch-plan.js';
import {workNames, type Measurement, type WorkName} from './work.js';

/** One kind of work on one subject. */
export interface WorkResult extends Measurement {
  readonly work: WorkName;
  readonly rate: number;
  /** CPU seconds of all server processes per 1,000 operations. */
  readonly cpu: number;
  /** The same for the first 500 operations of the kind that the server has done; undefined where none came before. */
  readonly cold?: number;
  /** Half of the difference between the dearest and the cheapest turn, in the unit of `cpu`; undefined for one turn. */
  readonly spread?: number;
}

export interface SubjectResult {
  readonly subject: string;
  readonly starts: StartTimes | undefined;
  /** Resident MB. */
  readonly memory: {readonly idle: number; readonly loaded: number; readonly peak: number; readonly redis: number | undefined};
  readonly works: readonly WorkResult[];
}

/** Namespace of the objects that are measured, and of those that only warm the server up. */
const namespace = 'bench';
const warmNamespace = 'bench-warm';

/** How many operations each kind of work does; a quick run does a fifth. Objects are created and deleted all. */
const fullCounts = {
  get: 15_000,
  'get at version 0': 15_000,
  'list of 500': 400,
  'list of 500, gzip': 200,
  'paging by 500': 40,
  'list by label': 400,
  update: 5_000,
  'merge patch': 5_000,
  apply: 5_000,
} as const;

/** Operations that go before and are not counted: what runs for the first time is compiled meanwhile. */
const warmCounts = {
  create: 1_000,
  get: 3_000,
  'get at version 0': 3_000,
  'list of 500': 40,
  'list of 500, gzip': 20,
  'paging by 500': 4,
  'list by label': 40,
  update: 1_000,
  'merge patch': 1_000,
  apply: 1_000,
  delete: 1_000,
} as const;

/** So many of them are measured too: what a server that has just started costs. */
const coldCount = 500;

/** Which kinds of work a subject takes part in. */
function worksOf(subject: Subject): readonly WorkName[] {
  if (subject.name === 'floor')
    return ['create', 'get', 'list of 500', 'watch, bounded rate', 'watch, full speed', 'watch, 1,000 watchers'];
  if (subject.name === 'redis-pair') return ['create', 'watch, bounded rate', 'watch, full speed'];
  return workNames;
}

/** Does all the work on a subject, one kind after the other. `sample` is called once the objects are there. */
export async function measureSubject(
  subject: Subject,
  options: BenchOptions,
  progress: (text: string) => void,
  sample: () => Promise<void>,
): Promise<SubjectResult> {
  const idle = subject.memory();
  const {objects, maxSeconds} = options;
  const share = options.quick ? 0.2 : 1;
  const load = new LoadProcess();
  const works: WorkResult[] = [];
  try {
    await load.run({kind: 'connect', targets: subject.targets, concurrency: options.concurrency});
    for (const name of [namespace, warmNamespace]) await load.run({kind: 'namespace', name});
    const costOf = async (run: () => Promise<Measurement>) => {
      const before = subject.cpu();
      const measurement = await run();
      const cpu = subject.cpu() - before;
      return {...measurement, cpu: measurement.operations === 0 ? 0 : (cpu * 1_000) / measurement.operations};
    };
    const measured = async (work: WorkName, run: () => Promise<Measurement>, cold?: number) => {
      progress(`${subject.name}: ${work}`);
      const measurement = await costOf(run);
      works.push({...measurement, work, rate: measurement.operations / measurement.seconds, ...(cold === undefined ? {} : {cold})});
    };
    for (const work of worksOf(subject)) {
      if (isWatchWork(work)) {
        const {rate, filtered, watchers, writes} = watchPlans[work];
        await load.run({kind: 'watchers', namespace, count: watchers ?? options.watchers, filtered});
        await measured(work, () =>
          load.run({
            kind: 'watch',
            namespace,
            writes: Math.round(writes * share),
            maxSeconds,
            objects,
            ...(rate === undefined ? {} : {rate}),
          }),
        );
        await load.run({kind: 'watchers', namespace, count: 0});
        continue;
      }
      // What can be done to an object only once is warmed up on other objects.
      const once = work === 'create' || work === 'delete';
      const warm = warmCounts[work];
      // The first apply of an object takes over its fields: the measured ones meet objects that have been applied.
      const targets = work === 'apply' ? Math.min(objects, warm) : objects;
      const warmUp = (first: number, end: number) =>
        load.run({
          kind: 'requests',
          work,
          namespace: once ? warmNamespace : namespace,
          first,
          count: end - first,
          maxSeconds: maxSeconds / 2,
          objects: once ? warm : targets,
        });
      const early = Math.min(coldCount, warm);
      const cold = await costOf(() => warmUp(0, early));
      if (early < warm) await warmUp(early, warm);
      const count = once ? objects : Math.max(10, Math.round(fullCounts[work] * share));
      await measured(
        work,
        () => load.run({kind: 'requests', work, namespace, count, maxSeconds: once ? maxSeconds * 4 : maxSeconds, objects: targets}),
        cold.cpu,
      );
      if (work === 'create') await sample();
    }
    const loaded = subject.memory();
    return {
      subject: subject.name,
      starts: subject.starts,
      memory: {idle: idle.servers.now, loaded: loaded.servers.now, peak: loaded.servers.peak, redis: loaded.redis},
      works,
    };
  } finally {
    await load.close();
  }
}
