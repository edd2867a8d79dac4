import {parseArgs} from 'node:util';
import {newestRelease, oldestRelease, servedReleases} from '../../core/api/lifetimes/releases.js';

export const storeNames = ['memory', 'embedded', 'redis'] as const;
export type StoreName = (typeof storeNames)[number];

export interface FuzzSettings {
  readonly requests: number;
  readonly seed: number;
  readonly store: StoreName;
  /** That the server speaks. */
  readonly release: string;
  readonly connections: number;
  /** Of the requests, those that make a place of an object large, in percent. */
  readonly largePercent: number;
  /** Where files with reproductions go. */
  readonly out: string;
  readonly replay: string | undefined;
  readonly record: boolean;
  /** The only session that is recorded. */
  readonly session: string | undefined;
}

export const help = `Sends a server of its own requests that are nearly right: recorded traffic (rigs/fuzz/corpus), changed in all its parts.

  npm run fuzz -- [options]

  --requests N      how many (100000)
  --seed N          of all that is random; printed, and chosen by the clock when not given
  --store NAME      ${storeNames.join(', ')} (embedded)
  --release 1.NN    that the server speaks (${oldestRelease}); ${newestRelease} gets all its kinds, with the fields of all gates, too
  --connections N   connections, each with several requests under way (6)
  --large PERCENT   requests that make a list, map or text of a type large, up to 2.9 MB: each place of every type in turn (0.2)
  --out DIR         where a file for each fault goes (fuzz-results)
  --replay FILE     sends what is in such a file to a fresh server; the exit code is 1 while the fault is there
  --record          records the corpus anew, with kubectl and other clients
  --session NAME    with --record: this session only, as in 5-platform
  --help            this text

Examples
  npm run fuzz
  npm run fuzz -- --requests 1000000 --store redis --seed 7
  npm run fuzz -- --requests 2000 --large 100
  npm run fuzz -- --release ${newestRelease}
  npm run fuzz -- --replay fuzz-results/1.json

A fault is: an answer of 5xx but 503 and 504, the end of the process, an error in its log, no answer in time, a failure that is no
Status, a body that cannot be read, a write that succeeded and is not there, memory that grows, a turn of the event loop
that takes more than 100 ms of processor, three times out of three. The server has a heap of 300 MB. For each the file says what was sent,
made as small as it gets.
`;

export class FuzzUsageError extends Error {}

/** Reads the command line. Answers undefined when help is asked for. @throws FuzzUsageError with one clear sentence for a bad one */
export function readSettings(argv: readonly string[]): FuzzSettings | undefined {
  const {values} = parse(argv);
  if (values.help) return undefined;
  const store = storeNames.find((name) => name === values.store);
  if (!store) throw new FuzzUsageError(`--store does not know ${values.store}: ${storeNames.join(', ')}`);
  if (!servedReleases.includes(values.release))
    throw new FuzzUsageError(`--release takes ${oldestRelease} to ${newestRelease}, not ${values.release}`);
  return {
    release: values.release,
    requests: wholeNumber('requests', values.requests),
    seed: values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('seed', values.seed),
    store,
    connections: wholeNumber('connections', values.connections),
    largePercent: percent(values.large),
    out: values.out,
    replay: values.replay,
    record: values.record,
    session: values.session,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        requests: {type: 'string', default: '100000'},
        seed: {type: 'string'},
        store: {type: 'string', default: 'embedded'},
        release: {type: 'string', default: oldestRelease},
        connections: {type: 'string', default: '6'},
        large: {type: 'string', default: '0.2'},
        out: {type: 'string', default: 'fuzz-results'},
        replay: {type: 'string'},
        record: {type: 'boolean', default: false},
        session: {type: 'string'},
        help: {type: 'boolean', default: false},
      },
    });
  } catch (error) {
    throw new FuzzUsageError((error as Error).message, {cause: error});
  }
}

function percent(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 100)) throw new FuzzUsageError(`--large takes a number from 0 to 100, not ${text}`);
  return value;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new FuzzUsageError(`--${name} takes a whole number above 0, not ${text}`);
  return value;
}
