/** Where a terminal shows how long a step goes on, so often. */
const tickMillis = 1000;

/**
 * Says what a build does: a line for each step as it begins, with the seconds since the build began; on a terminal also how long it has been going on, in a line that is
 * written anew. On standard error, since what is built may be started next, whose output is its own.
 */
export class BuildProgress {
  #stream;
  #began = performance.now();
  #timer;

  constructor(stream = process.stderr) {
    this.#stream = stream;
    if (stream.isTTY) this.#timer = setInterval(() => stream.write(`\r\u001B[Kbuild: ${this.#seconds()}`), tickMillis).unref();
  }

  /** @param text what the step does */
  step(text) {
    this.say(`build: ${this.#seconds()}  ${text}`);
  }

  /** Writes a line, or several. */
  say(text) {
    this.#stream.write(`${this.#stream.isTTY ? '\r\u001B[K' : ''}${text.endsWith('\n') ? text : `${text}\n`}`);
  }

  /** @param text what has come of it, up to its seconds */
  end(text) {
    clearInterval(this.#timer);
    this.say(`${text} ${this.#seconds().trim()}`);
  }

  #seconds() {
    return `${((performance.now() - this.#began) / 1000).toFixed(1).padStart(5)} s`;
  }
}
