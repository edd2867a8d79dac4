import {realpathSync} from 'node:fs';
import process from 'node:process';
import {fileURLToPath} from 'node:url';
import {dirname, resolve} from 'node:path';
import type {PluginDefinition} from '../sdk/plugin/define/define-plugin.js';

/** A timer as Node.js has it; the member is what its own inspection shows. */
type Timer = NodeJS.Timeout & {readonly _destroyed?: boolean};

/** More are not remembered at a time: a server makes and ends many. */
const mostTimers = 10_000;
/** What the runner of a test and its output have open. */
const notOurs = new Set(['PipeWrap', 'TTYWrap', 'CloseReq', 'FSReqCallback', 'FSReqPromise', 'Immediate', 'MessagePort']);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Where this package's code may be said to come from: the bundle, what was compiled and, with source maps, the sources. */
const homes = [root, dirname(root), dirname(dirname(root))];

/**
 * Finds what the plugins of a server leave behind when it has stopped and what keeps the process of the test from ending: timers with the place that made them,
 * everything else by its kind.
 */
export class LeftBehind {
  readonly #timers = new Map<Timer, string>();
  readonly #before = counts();
  readonly #plugins: readonly (string | PluginDefinition)[];
  /** Whether no other server ran in the process at any time: what else is open may be of that one. */
  #isAlone: boolean;

  /** @param plugins of the server; without any, it only counts as another server */
  constructor(plugins: readonly (string | PluginDefinition)[]) {
    this.#plugins = plugins;
    this.#isAlone = open.size === 0;
    for (const other of open) other.#isAlone = false;
    open.add(this);
    wrapTimers();
  }

  /** Of every timer that is made while this is open. */
  static remember(timer: NodeJS.Timeout): NodeJS.Timeout {
    const watching = [...open].filter((each) => each.#plugins.length > 0);
    if (watching.length === 0) return timer;
    const {stack = ''} = new Error('made');
    for (const each of watching) each.#remember(timer, stack);
    return timer;
  }

  /** To be called when the server has stopped. One sentence for each thing that is still there. */
  find(): string[] {
    open.delete(this);
    wrapTimers();
    if (this.#plugins.length === 0) return [];
    const texts: string[] = [];
    let timers = 0;
    for (const [timer, stack] of this.#timers) {
      if (timer._destroyed || !timer.hasRef()) continue;
      const frame = foreignFrame(stack);
      if (frame === undefined) continue;
      timers += 1;
      const plugin = this.#pluginOf(frame);
      texts.push(`a timer${plugin === undefined ? '' : ` of the plugin ${plugin}`} made at ${frame}`);
    }
    for (const [kind, count] of counts()) {
      const more = count - (this.#before.get(kind) ?? 0) - (kind === 'Timeout' ? timers : 0);
      if (this.#isAlone && more > 0 && kind !== 'Timeout' && !notOurs.has(kind)) texts.push(`${more} × ${kind}`);
    }
    return texts;
  }

  #remember(timer: NodeJS.Timeout, stack: string): void {
    if (this.#timers.size >= mostTimers)
      for (const known of this.#timers.keys()) if ((known as Timer)._destroyed || !known.hasRef()) this.#timers.delete(known);
    if (this.#timers.size < mostTimers) this.#timers.set(timer, stack);
  }

  #pluginOf(frame: string): string | undefined {
    for (const plugin of this.#plugins) {
      if (typeof plugin !== 'string') {
        if (plugin.folder !== undefined && frame.includes(plugin.folder)) return plugin.manifest.name;
        continue;
      }
      try {
        if (frame.includes(realpathSync(resolve(plugin)))) return plugin;
      } catch {
        // A package by its name.
        if (frame.includes(`/node_modules/${plugin}/`)) return plugin;
      }
    }
    const [only] = this.#plugins;
    return this.#plugins.length === 1 && typeof only === 'object' ? only.manifest.name : undefined;
  }
}

/** The servers that run. */
const open = new Set<LeftBehind>();
let unwrap: (() => void) | undefined;

/** Has timers remembered while a server with plugins runs. */
function wrapTimers(): void {
  if (open.size === 0) {
    unwrap?.();
    unwrap = undefined;
    return;
  }
  if (unwrap) return;
  const {setTimeout: timeout, setInterval: interval} = globalThis;
  const remembering = <F>(make: F): F => {
    const call = make as (...given: unknown[]) => NodeJS.Timeout;
    const wrapped = (...given: unknown[]) => LeftBehind.remember(call(...given));
    // What else it has, as promisify looks for.
    return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(call)) as F;
  };
  globalThis.setTimeout = remembering(timeout);
  globalThis.setInterval = remembering(interval);
  unwrap = () => {
    globalThis.setTimeout = timeout;
    globalThis.setInterval = interval;
  };
}

function counts(): Map<string, number> {
  const found = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) found.set(kind, (found.get(kind) ?? 0) + 1);
  return found;
}

/** The innermost place that is neither of Node.js nor of this package's own code. */
function foreignFrame(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const place = /^\s+at (?:.*[\s(])?((?:file:\/\/)?\/[^()]+:\d+:\d+)\)?$/.exec(line)?.[1];
    if (place === undefined) continue;
    const file = place.replace(/^file:\/\//, '');
    if (
      !['core', 'sdk', 'plugins', 'testing', 'bundle', 'node_modules'].some((folder) =>
        homes.some((home) => file.startsWith(`${home}/${folder}/`)),
      )
    )
      return file;
  }
  return undefined;
}
