import {populations, watchers, type ComparisonRow} from './comparison-rows.js';
import {LoadProcess} from './load-process.js';
import type {Subject} from './subject.js';
import type {Measurement, ObjectSize, Target} from './work.js';

/** What one turn of a row has shown. */
export interface Turn {
  readonly operations: number;
  /** Seconds of the processor for 1,000 operations, of all processes of the server. */
  readonly cpu: number;
  readonly rate: number;
  /** Milliseconds. */
  readonly p99: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

/** Longest time of one turn, in seconds: none takes nearly as long. */
const turnSeconds = 30;

/** Objects that are there, and those that are made and deleted. */
const namespaces = {
  small: {kept: 'bench', fresh: 'bench-fresh'},
  large: {kept: 'bench-large', fresh: 'bench-fresh-large'},
} as const;

/** One of the servers that are compared, with a client of its own. */
export class ComparisonSide {
  readonly #load = new LoadProcess();
  /** Objects that were made, and those of them that were deleted. */
  readonly #fresh: Record<ObjectSize, {made: number; deleted: number}> = {small: {made: 0, deleted: 0}, large: {made: 0, deleted: 0}};

  #limited: Promise<Target> | undefined;

  constructor(readonly subject: Subject) {}

  get name(): string {
    return this.subject.name;
  }

  /** Makes the objects that all rows of these sizes are about. */
  async fill(sizes: ReadonlySet<ObjectSize>, share: number): Promise<void> {
    await this.#connect(16);
    for (const size of sizes) {
      const {kept, fresh} = namespaces[size];
      for (const name of [kept, fresh]) await this.#load.run({kind: 'namespace', name});
      if (this.name !== 'floor') await this.#create(kept, size, 0, population(size, share));
    }
  }

  /** Opens what a row needs. */
  async begin(row: ComparisonRow): Promise<void> {
    await this.#connect(row.connections, row.isLimited ? [await (this.#limited ??= this.subject.limitedUser())] : this.subject.targets);
    if (row.work === 'watch') await this.#load.run({kind: 'watchers', namespace: namespaces.small.kept, count: watchers});
  }

  async turn({work, size, count: full}: ComparisonRow, share: number): Promise<Turn> {
    // The floor's operations are so cheap that few of them are noise.
    const most = full * share * (this.name === 'floor' && work !== 'watch' ? 4 : 1);
    const count = Math.max(work === 'paging by 500' ? 2 : 10, Math.round(most));
    const {kept, fresh} = namespaces[size];
    const state = this.#fresh[size];
    if (work === 'watch') {
      return this.#costOf(() =>
        this.#load.run({kind: 'watch', namespace: kept, writes: count, maxSeconds: turnSeconds, objects: population(size, share)}),
      );
    }
    if (work === 'delete' && state.deleted + count > state.made) await this.#makeFresh(size, state.deleted + count - state.made);
    const first = work === 'create' ? state.made : work === 'delete' ? state.deleted : 0;
    const namespace = work === 'create' || work === 'delete' ? fresh : kept;
    if (work === 'create') state.made += count;
    if (work === 'delete') state.deleted += count;
    return this.#costOf(() =>
      this.#load.run({kind: 'requests', work, namespace, first, count, maxSeconds: turnSeconds, objects: population(size, share), size}),
    );
  }

  /** The first requests of a server that has just started, and knows one object. */
  async coldTurn({work, count}: ComparisonRow): Promise<Turn> {
    await this.#connect(16);
    await this.#load.run({kind: 'namespace', name: namespaces.small.kept});
    if (this.name !== 'floor') await this.#create(namespaces.small.kept, 'small', 0, 1);
    if (work === 'watch') throw new Error('a server that has just started has nothing to watch');
    return this.#costOf(() =>
      this.#load.run({kind: 'requests', work, namespace: namespaces.small.kept, count, maxSeconds: turnSeconds, objects: 1}),
    );
  }

  async close(): Promise<void> {
    await this.#load.close();
    await this.subject.close();
  }

  async #connect(concurrency: number, targets = this.subject.targets): Promise<void> {
    await this.#load.run({kind: 'connect', targets, concurrency});
  }

  async #makeFresh(size: ObjectSize, count: number): Promise<void> {
    const state = this.#fresh[size];
    await this.#create(namespaces[size].fresh, size, state.made, count);
    state.made += count;
  }

  async #create(namespace: string, size: ObjectSize, first: number, count: number): Promise<void> {
    const {failures, firstFailure} = await this.#load.run({
      kind: 'requests',
      work: 'create',
      namespace,
      first,
      count,
      maxSeconds: 100,
      objects: count,
      size,
    });
    if (failures > 0) throw new Error(`${this.name}: making objects: ${firstFailure}`);
  }

  async #costOf(run: () => Promise<Measurement>): Promise<Turn> {
    const before = this.subject.cpu();
    const {operations, seconds, p99, failures, firstFailure} = await run();
    return {operations, cpu: ((this.subject.cpu() - before) * 1_000) / operations, rate: operations / seconds, p99, failures, firstFailure};
  }
}

function population(size: ObjectSize, share: number): number {
  return Math.max(size === 'large' ? 20 : 500, Math.round(populations[size] * share));
}
