import {eventually} from '../../test/helpers/eventually.js';
import type {WebhookService} from '../../test/helpers/webhook-service.js';
import {webhook} from './admission-cases.js';
import {makeObject} from './bench-users.js';
import {objectSets, watchers, type ComparisonRow, type ObjectSetName} from './comparison-rows.js';
import {LoadProcess} from './load-process.js';
import type {Subject} from './subject.js';
import type {Measurement, Target} from './work.js';

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

/** One of the servers that are compared, with a client of its own. */
export class ComparisonSide {
  readonly #load = new LoadProcess();
  /** Objects that were made, and those of them that were deleted. */
  readonly #fresh: Record<ObjectSetName, {made: number; deleted: number}> = {
    small: {made: 0, deleted: 0},
    large: {made: 0, deleted: 0},
    secrets: {made: 0, deleted: 0},
    hooked: {made: 0, deleted: 0},
  };

  #limited: Promise<Target> | undefined;

  constructor(readonly subject: Subject) {}

  get name(): string {
    return this.subject.name;
  }

  /** Makes the objects that all rows of these sets are about. */
  async fill(sets: ReadonlySet<ObjectSetName>, share: number): Promise<void> {
    await this.#connect(16);
    for (const set of sets) {
      const {kept, fresh} = objectSets[set];
      for (const name of [kept, fresh]) await this.#load.run({kind: 'namespace', name});
      const count = population(set, share);
      if (this.name !== 'floor' && count > 0) await this.#create(kept, set, 0, count);
    }
  }

  /** Has a webhook asked about what is made in its set of objects: from the time that this resolves on. */
  async register(hook: WebhookService): Promise<void> {
    const {domain, targets} = this.subject;
    const {fresh} = objectSets.hooked;
    const {collection, object} = webhook('configmaps', hook, domain, fresh);
    await makeObject(targets[0]!, collection, object);
    const before = hook.requests.length;
    await eventually(
      async () => {
        await this.#makeFresh('hooked', 1);
        return hook.requests.length;
      },
      (asked) => asked > before,
    );
  }

  /** Opens what a row needs. */
  async begin(row: ComparisonRow): Promise<void> {
    await this.#connect(row.connections, row.isLimited ? [await (this.#limited ??= this.subject.limitedUser())] : this.subject.targets);
    if (row.work === 'watch') await this.#load.run({kind: 'watchers', namespace: objectSets.small.kept, count: watchers});
  }

  async turn({work, set, count: full}: ComparisonRow, share: number): Promise<Turn> {
    // The floor's operations are so cheap that few of them are noise.
    const most = full * share * (this.name === 'floor' && work !== 'watch' ? 4 : 1);
    const count = Math.max(work === 'paging by 500' ? 2 : 10, Math.round(most));
    const {kept, fresh, size, resource} = objectSets[set];
    const state = this.#fresh[set];
    if (work === 'watch') {
      return this.#costOf(() =>
        this.#load.run({kind: 'watch', namespace: kept, writes: count, maxSeconds: turnSeconds, objects: population(set, share)}),
      );
    }
    if (work === 'delete' && state.deleted + count > state.made) await this.#makeFresh(set, state.deleted + count - state.made);
    const first = work === 'create' ? state.made : work === 'delete' ? state.deleted : 0;
    const namespace = work === 'create' || work === 'delete' ? fresh : kept;
    if (work === 'create') state.made += count;
    if (work === 'delete') state.deleted += count;
    return this.#costOf(() =>
      this.#load.run({
        kind: 'requests',
        work,
        namespace,
        first,
        count,
        maxSeconds: turnSeconds,
        objects: population(set, share),
        size,
        resource,
      }),
    );
  }

  /** The first requests of a server that has just started, and knows one object. */
  async coldTurn({work, count}: ComparisonRow): Promise<Turn> {
    await this.#connect(16);
    await this.#load.run({kind: 'namespace', name: objectSets.small.kept});
    if (this.name !== 'floor') await this.#create(objectSets.small.kept, 'small', 0, 1);
    if (work === 'watch') throw new Error('a server that has just started has nothing to watch');
    return this.#costOf(() =>
      this.#load.run({kind: 'requests', work, namespace: objectSets.small.kept, count, maxSeconds: turnSeconds, objects: 1}),
    );
  }

  async close(): Promise<void> {
    await this.#load.close();
    await this.subject.close();
  }

  async #connect(concurrency: number, targets = this.subject.targets): Promise<void> {
    await this.#load.run({kind: 'connect', targets, concurrency});
  }

  async #makeFresh(set: ObjectSetName, count: number): Promise<void> {
    const state = this.#fresh[set];
    await this.#create(objectSets[set].fresh, set, state.made, count);
    state.made += count;
  }

  async #create(namespace: string, set: ObjectSetName, first: number, count: number): Promise<void> {
    const {size, resource} = objectSets[set];
    const {failures, firstFailure} = await this.#load.run({
      kind: 'requests',
      work: 'create',
      namespace,
      first,
      count,
      maxSeconds: 100,
      objects: count,
      size,
      resource,
    });
    if (failures > 0) throw new Error(`${this.name}: making objects: ${firstFailure}`);
  }

  async #costOf(run: () => Promise<Measurement>): Promise<Turn> {
    const before = this.subject.cpu();
    const {operations, seconds, p99, failures, firstFailure} = await run();
    return {operations, cpu: ((this.subject.cpu() - before) * 1_000) / operations, rate: operations / seconds, p99, failures, firstFailure};
  }
}

function population(set: ObjectSetName, share: number): number {
  const {population: full, least} = objectSets[set];
  return Math.max(least, Math.round(full * share));
}
