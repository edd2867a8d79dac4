import {withOrigin, type ErrorOrigin} from '../../../sdk/errors/error-origin.js';
import {frozenCopy} from '../../../sdk/objects/frozen-copy.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import type {MethodRules} from './contract-rules.js';
import type {HookCalls} from './hook-calls.js';

/** Longest text that shows a value. */
const longest = 100;

/** A method of a contribution, without `this`. */
export type HookFunction = (...args: unknown[]) => unknown;

export interface HookOptions {
  readonly calls: HookCalls;
  /** Whether to time calls that return synchronously; those that return promises are always timed. */
  readonly isTimed: boolean;
  /** Whether it may last: it is neither timed nor followed. */
  readonly mayLast: boolean;
  /** The rules that are checked. */
  readonly rules: MethodRules | undefined;
}

/**
 * One method of one contribution, as it is called. That costs a call more; nothing is created unless the method returns a promise, or fails.
 */
export class Hook implements ErrorOrigin {
  readonly plugin: string;
  readonly hook: string;
  readonly #subject: string;
  readonly #options: HookOptions;

  constructor(plugin: string, kind: string, name: string, method: string, options: HookOptions) {
    this.plugin = plugin;
    this.hook = `${kind} ${name}.${method}`;
    this.#subject = `${method} of the ${kind} ${name}`;
    this.#options = options;
  }

  /** Wraps the method. */
  around(target: object, method: HookFunction): HookFunction {
    const {isTimed, mayLast} = this.#options;
    const checked = this.#checked(target, this.#held(method));
    return isTimed && !mayLast ? this.#timed(checked) : checked;
  }

  /**
   * The method, followed by a check of its read-only arguments. It gets the objects themselves, since a plugin may recognize an object that it has prepared.
   *
   * @throws TypeError from the function returned, when one has changed
   */
  #held(method: HookFunction): HookFunction {
    const readOnly = this.#options.rules?.readOnly;
    if (!readOnly) return method;
    const unchanged = (args: readonly unknown[], before: readonly unknown[]) => {
      for (const [at, index] of readOnly.entries())
        if (!equalJson(args[index], before[at]))
          throw new TypeError(`${this.#subject} changes what it may only read: its parameter ${index + 1}`);
    };
    return function held(this: unknown, ...args) {
      const before = readOnly.map((index) => frozenCopy(args[index]));
      const result = method.apply(this, args);
      if (!(result instanceof Promise)) {
        unchanged(args, before);
        return result;
      }
      return result.then((value: unknown) => {
        unchanged(args, before);
        return value;
      });
    };
  }

  #checked(target: object, method: HookFunction): HookFunction {
    return (...args) => {
      let result: unknown;
      try {
        result = method.apply(target, args);
        if (!(result instanceof Promise)) this.#check(result, args[0], args[1]);
      } catch (thrown) {
        throw this.#failed(thrown);
      }
      return result instanceof Promise ? this.#settled(result, args[0], args[1]) : result;
    };
  }

  #timed(checked: HookFunction): HookFunction {
    const {calls} = this.#options;
    return (...args) => {
      const began = performance.now();
      let result: unknown;
      try {
        result = checked(...args);
      } finally {
        const millis = performance.now() - began;
        calls.returned(this, millis);
        if (!(result instanceof Promise)) calls.took(this, millis);
      }
      return result instanceof Promise ? result.finally(() => calls.took(this, performance.now() - began)) : result;
    };
  }

  async #settled(result: Promise<unknown>, a?: unknown, b?: unknown): Promise<unknown> {
    const {calls, mayLast} = this.#options;
    const call = mayLast ? undefined : calls.begin(this);
    try {
      const value = await result;
      this.#check(value, a, b);
      return value;
    } catch (thrown) {
      throw this.#failed(thrown);
    } finally {
      if (call) calls.end(call);
    }
  }

  /** @throws TypeError for a value that the contract does not know */
  #check(value: unknown, a: unknown, b: unknown): void {
    const fault = this.#options.rules?.returns?.(value, a, b);
    if (fault !== undefined) throw new TypeError(`${this.#subject} returned ${shape(value)}: ${fault}`);
  }

  #failed(thrown: unknown): object {
    return withOrigin(thrown, this);
  }
}

/** Describes a value for a message, without strings and values of members, which may be secrets. */
function shape(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const text = `{${Object.keys(value).join(', ')}}`;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
