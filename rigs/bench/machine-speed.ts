/** As much more as a run may take at one time than at another before its figures of time say more of the machine than of the servers. */
const uneven = 1.25;
const rounds = 400;

/** How fast the machine is: what a fixed piece of work takes, looked at before, between and behind the parts of a run. */
export class MachineSpeed {
  readonly #text = JSON.stringify(
    Array.from({length: 2000}, (_, index) => ({name: `object-${index}`, labels: {app: 'one', place: index}})),
  );
  readonly #look: () => number;
  readonly #millis: number[] = [];

  /** @param look milliseconds that the work takes now; by default half a second or so of reading JSON */
  constructor(look?: () => number) {
    this.#look = look ?? (() => this.#read());
  }

  look(): void {
    this.#millis.push(this.#look());
  }

  /** Milliseconds, in the order in which it was looked. */
  get millis(): readonly number[] {
    return this.#millis;
  }

  /** One line. */
  report(): string {
    const least = Math.min(...this.#millis);
    const most = Math.max(...this.#millis);
    const warning =
      most > uneven * least
        ? `: its speed changed by ${((most / least - 1) * 100).toFixed(0)} %, so compare what was measured in turns, and nothing else`
        : '';
    return `the machine took ${least.toFixed(0)} to ${most.toFixed(0)} ms for the same work, looked at ${this.#millis.length} times${warning}`;
  }

  #read(): number {
    const began = performance.now();
    for (let round = 0; round < rounds; round += 1) JSON.parse(this.#text);
    return performance.now() - began;
  }
}
