/** What the event loop of this process did while some work was under way. */
export interface Turns<T> {
  readonly result: T;
  /** Longest time in milliseconds of processor of one turn of the event loop: what everybody else had to wait for. Other processes do not count. */
  readonly longestMillis: number;
}

/** Runs work in this process and measures the turns of its event loop until it has settled. */
export async function longestTurn<T>(work: () => Promise<T>): Promise<Turns<T>> {
  let ended = false;
  let longest = 0;
  let last = threadMicros();
  const look = () => {
    const now = threadMicros();
    longest = Math.max(longest, now - last);
    last = now;
    if (!ended) setImmediate(look);
  };
  setImmediate(look);
  try {
    const result = await work();
    await new Promise((resolve) => setImmediate(resolve));
    look();
    return {result, longestMillis: longest / 1000};
  } finally {
    ended = true;
  }
}

function threadMicros(): number {
  const {user, system} = process.threadCpuUsage();
  return user + system;
}
