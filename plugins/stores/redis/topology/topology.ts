import type {Reply} from '../drivers/redis-driver.js';
import type {Address} from '../redis-url.js';

/** Finds the server of a key. Called for every new connection, and every second for existing ones. */
export interface Topology {
  /** Names the servers in messages: host and port, or the like. */
  readonly description: string;
  /** The address of the primary for a key. Rejects with the reason when none can be found. */
  addressOf(key: string): Promise<Address>;
  /** Finds the servers of all keys; undefined if no server answers. Absent if the address is fixed. */
  look?(): Promise<((key: string) => Address | undefined) | undefined>;
}

/** Asks one server one command. */
export type Ask = (address: Address, command: readonly string[]) => Promise<Reply>;

/** How long the slower ones of several servers are waited for once one has answered. */
const patienceMillis = 250;

/** Asks all servers concurrently: the answers, and the problems of those that give none. */
export async function answersOf<T>(
  addresses: readonly Address[],
  ask: (address: Address) => Promise<T>,
): Promise<{readonly answers: readonly T[]; readonly problems: readonly {readonly address: Address; readonly error: unknown}[]}> {
  const answers: T[] = [];
  const problems: {address: Address; error: unknown}[] = [];
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const settled = () => {
      if (answers.length + problems.length < addresses.length) return;
      clearTimeout(timer);
      resolve();
    };
    for (const address of addresses) {
      ask(address).then(
        (answer) => {
          answers.push(answer);
          timer ??= setTimeout(resolve, patienceMillis);
          settled();
        },
        (error: unknown) => {
          problems.push({address, error});
          settled();
        },
      );
    }
  });
  return {answers, problems};
}
