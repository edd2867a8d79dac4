import type {Store} from '../../sdk/index.js';

/** The type of the records that are written. */
export const writtenType = 'configmaps';
const value = Buffer.alloc(1000, 'x');
const records = 100;
/** Commits under way at a time. */
const concurrency = 16;

/** Updates records of about 1 KB as fast as the store answers; resolves to the last revision. */
export class WriteLoad {
  readonly #store: Store;
  readonly #revisions: number[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async run(writes: number): Promise<number> {
    let next = 0;
    let last = 0;
    const work = async (lane: number): Promise<void> => {
      // Each lane has its records, so that none is changed by another one meanwhile.
      for (let step = 0; next < writes; step++) {
        next++;
        const record = (step * concurrency + lane) % (records * concurrency);
        const revision = await this.#store.commit({
          type: writtenType,
          key: `scale/r-${record}`,
          expected: this.#revisions[record] ?? 0,
          value,
        });
        this.#revisions[record] = revision;
        last = Math.max(last, revision);
      }
    };
    await Promise.all(Array.from({length: concurrency}, (_, lane) => work(lane)));
    return last;
  }
}
