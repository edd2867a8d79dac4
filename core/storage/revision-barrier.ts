/**
 * Asks a store for its revision on behalf of many requests. A request may only use an answer that was asked for after the
 * request began; so all that come while one question is under way share the next one.
 */
export class RevisionBarrier {
  private underWay: Promise<number> | undefined;
  private next: Promise<number> | undefined;

  constructor(private readonly ask: () => number | Promise<number>) {}

  /** A revision that is at least that of every write acknowledged before this call. A plain number when the store knows it at once. */
  latest(): number | Promise<number> {
    if (!this.underWay) return this.begin();
    this.next ??= this.underWay
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.begin();
      });
    return this.next;
  }

  private begin(): number | Promise<number> {
    const answer = this.ask();
    if (typeof answer === 'number') return answer;
    const done = () => {
      if (this.underWay === answer) this.underWay = undefined;
    };
    this.underWay = answer;
    answer.then(done, done);
    return answer;
  }
}
