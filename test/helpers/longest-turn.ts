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

/** Milliseconds in which a machine of the usual speed reads a large map. */
const usualReadingMillis = 3;

/** How much slower this machine is than usual, by what the platform's own reader needs: a slow machine fails no test. At least 1. */
export async function slowness(): Promise<number> {
  const text = JSON.stringify(Object.fromEntries(Array.from({length: 29_000}, (_, index) => [`k${index}`, 'a'])));
  const readings: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const {longestMillis} = await longestTurn(async () => {
      JSON.parse(text);
    });
    readings.push(longestMillis);
  }
  return Math.max(1, readings.sort((one, other) => one - other)[2]! / usualReadingMillis);
}

/** Whether so many milliseconds of processor are less than what some work may take on a machine of the usual speed. */
export async function isWithin(millis: number, bound: number): Promise<boolean> {
  return millis < bound || millis < bound * (await slowness());
}

/** How slow a machine may be before times of a server on it are faults all the same. */
const slowestMachine = 2.5;

/** How many times as long as a usual machine this one takes for everything now, as far as that excuses times that a rig measures. */
export async function excusedSlowness(): Promise<number> {
  return Math.min(await slowness(), slowestMachine);
}

function threadMicros(): number {
  const {user, system} = process.threadCpuUsage();
  return user + system;
}
