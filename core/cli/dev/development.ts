import type {Terminal} from '../terminal.js';
import {DevServer} from './dev-server.js';
import type {Begin} from './messages.js';
import type {PluginBuild} from './plugin-build.js';

/**
 * A server with the newest working version of a plugin. A version that does not compile or pass the check is reported, and the previous one keeps running.
 */
export class Development {
  #begin: Begin;
  /** The flags that were given. */
  readonly #args: readonly string[];
  readonly #build: PluginBuild;
  readonly #terminal: Terminal;
  #server: DevServer | undefined;
  /** The version that is being checked. */
  #next: DevServer | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(begin: Begin, build: PluginBuild, terminal: Terminal) {
    this.#begin = begin;
    this.#args = begin.args;
    this.#build = build;
    this.#terminal = terminal;
  }

  /** The plugin has changed, or is new. */
  changed(): void {
    this.#again = true;
    this.#running ??= this.#follow().finally(() => (this.#running = undefined));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#build.stop();
    await Promise.all([this.#server?.stop(), this.#next?.stop()]);
    await this.#running;
    await this.#server?.stop();
  }

  async #follow(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      await this.#try();
    }
  }

  async #try(): Promise<void> {
    const complaint = await this.#build.run();
    if (this.#stopped) return;
    if (complaint !== undefined) return this.#reportFault(complaint);
    const next = new DevServer(this.#begin);
    this.#next = next;
    try {
      await next.checked;
      if (this.#stopped) return;
      const began = performance.now();
      const before = this.#server;
      this.#server = undefined;
      await before?.stop();
      next.go();
      const line = await next.ready;
      this.#server = next;
      this.#next = undefined;
      void next.ended.then(() => this.#ended(next));
      // The next one has the same port, also if any would do.
      const port = /:(\d+) kubeconfig=/.exec(line)?.[1];
      if (port !== undefined) this.#begin = {...this.#begin, args: [...this.#args, '--secure-port', port]};
      const text = before ? `restarted in ${Math.round(performance.now() - began)} ms` : line;
      this.#terminal.out.write(`${text}\n`);
    } catch (error) {
      this.#next = undefined;
      await next.stop();
      if (!this.#stopped) this.#reportFault((error as Error).message);
    }
  }

  #reportFault(text: string): void {
    const state = this.#server ? 'the server goes on with the version before' : 'no server runs';
    this.#terminal.err.write(`${text}\n${state}; waiting for a change\n`);
  }

  /** The server has ended by itself; it has printed why. */
  #ended(server: DevServer): void {
    if (this.#server !== server || this.#stopped) return;
    this.#server = undefined;
    this.#terminal.err.write('the server has ended; waiting for a change\n');
  }
}
