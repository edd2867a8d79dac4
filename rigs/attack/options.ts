import {parseArgs} from 'node:util';
import {matches} from './glob.js';

export const storeNames = ['embedded', 'redis'] as const;
export type StoreName = (typeof storeNames)[number];

export interface AttackOptions {
  readonly stores: readonly StoreName[];
  /** Whether an attack of this name takes part. */
  readonly isChosen: (name: string) => boolean;
  readonly list: boolean;
  readonly seed: number;
  readonly json: string | undefined;
  /** 99th percentile that is allowed, in milliseconds. */
  readonly p99Millis: number | undefined;
}

export const help = `Attacks servers of its own on loopback, each with a heap of 300 MB, and measures whether they hold.

  npm run attack -- [options]

  --list            the names of all attacks, and nothing else
  --only GLOB       attacks whose names match; * is anything; repeatable
  --store NAMES     ${storeNames.join(',')}: where the servers keep their objects (both by default; attacks in
                    which the store has no part are carried out on the first)
  --seed N          of what is random in attacks (printed)
  --p99 MS          what the 99th percentile may be, for a machine with other work (250)
  --json FILE       all that was measured
  --help            this text

Examples
  npm run attack -- --list
  npm run attack -- --only 'pipelining/*' --only 'connections/*'
  npm run attack -- --only 'roles/create' --store redis --seed 7
  npm run attack -- --json attack-results.json

While an attack goes on a client of system:masters reads an object 50 times a second and asks for /livez over new connections. A line
for each attack says what that client saw, the server's peak of resident memory, how long after the attack the server was near idle
again, and what the attack was answered. Times for which the server had to wait for a processor, because the machine had other work,
are not counted. The bounds of time are for a machine of the usual speed: a line that is late is held against the speed of this one,
measured then, up to 2.5 times slower. A measure that does not hold is taken once more, on a new server. The exit code is 1 when a bound does not hold.
`;

export class AttackUsageError extends Error {}

/** Reads the command line. Answers undefined when help is asked for. @throws AttackUsageError with one clear sentence for a bad one */
export function readOptions(argv: readonly string[]): AttackOptions | undefined {
  const {values} = parse(argv);
  if (values.help) return undefined;
  const named = values.store.split(',').map((name) => name.trim());
  const unknown = named.filter((name) => !storeNames.some((known) => known === name));
  if (unknown.length > 0) throw new AttackUsageError(`--store does not know ${unknown.join(', ')}: ${storeNames.join(', ')}`);
  return {
    stores: storeNames.filter((name) => named.includes(name)),
    isChosen: (name) => values.only.length === 0 || values.only.some((glob) => matches(glob, name)),
    list: values.list,
    seed: wholeNumber('seed', values.seed),
    json: values.json,
    p99Millis: values.p99 === undefined ? undefined : wholeNumber('p99', values.p99),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        list: {type: 'boolean', default: false},
        only: {type: 'string', multiple: true, default: []},
        store: {type: 'string', default: storeNames.join(',')},
        seed: {type: 'string', default: '1'},
        p99: {type: 'string'},
        json: {type: 'string'},
        help: {type: 'boolean', default: false},
      },
    });
  } catch (error) {
    throw new AttackUsageError((error as Error).message, {cause: error});
  }
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new AttackUsageError(`--${name} takes a whole number above 0, not ${text}`);
  return value;
}
