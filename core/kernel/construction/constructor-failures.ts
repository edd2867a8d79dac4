import 'reflect-metadata';
import {injectable, type DependencyContainer} from 'tsyringe';
import type {Constructor} from '../loading/import-entry.js';

/** tsyringe keeps the tokens of `@inject` under this key (its `INJECTION_TOKEN_METADATA_KEY`). */
const tokensKey = 'injectionTokens';

/**
 * Keeps the exceptions of constructors. tsyringe replaces an exception in the constructor of a *dependency* with its own error, which
 * has only the text: class, code and cause are lost. So the classes that a contributed class needs are replaced by wrappers
 * that keep the exception.
 */
export class ConstructorFailures {
  #first: {readonly thrown: unknown} | undefined;

  /** Runs something that may fail and remembers the first exception. */
  guard<T>(action: () => T): T {
    try {
      return action();
    } catch (thrown) {
      this.#first ??= {thrown};
      throw thrown;
    }
  }

  /** The exception at the root of a failed resolution: the one remembered, else the one that came out. Forgets it. */
  take(thrown: unknown): unknown {
    const cause = this.#first === undefined ? thrown : this.#first.thrown;
    this.#first = undefined;
    return cause;
  }

  /** Watches the classes that `target` needs, and those that they need. */
  watch(container: DependencyContainer, target: Constructor): void {
    for (const dependency of classDependencies(target)) {
      // A registered class has a lifecycle that a wrapper would change.
      if (container.isRegistered(dependency, true)) continue;
      container.register(dependency, {useClass: this.#standIn(dependency)});
      this.watch(container, dependency);
    }
  }

  #standIn(target: Constructor): Constructor {
    const standIn: Constructor = new Proxy(target, {
      construct: (_target, parameters: unknown[], newTarget: Constructor) =>
        this.guard(() => Reflect.construct(target, parameters, newTarget === standIn ? target : newTarget) as object),
    });
    for (const key of [tokensKey, 'design:paramtypes']) {
      if (Reflect.hasOwnMetadata(key, target)) Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, target), standIn);
    }
    if (Reflect.hasOwnMetadata(tokensKey, target) || Reflect.hasOwnMetadata('design:paramtypes', target)) injectable()(standIn);
    return standIn;
  }
}

/** Position of the first constructor parameter with neither `@inject` nor a type that says what to inject. */
export function unspecifiedParameter(target: Constructor): number | undefined {
  const tokens = (Reflect.getOwnMetadata(tokensKey, target) ?? {}) as Record<string, unknown>;
  const types = (Reflect.getOwnMetadata('design:paramtypes', target) ?? []) as unknown[];
  for (let index = 0; index < target.length; index++) {
    if (tokens[index] === undefined && types[index] === undefined) return index;
  }
  return undefined;
}

/** The tokens of `@inject` at a class's constructor, without classes. */
export function injectedTokens(target: Constructor): unknown[] {
  return Object.values((Reflect.getOwnMetadata(tokensKey, target) ?? {}) as Record<string, unknown>).filter(
    (token) => typeof token === 'symbol' || typeof token === 'string',
  );
}

function classDependencies(target: Constructor): Constructor[] {
  const tokens: unknown[] = [
    ...((Reflect.getOwnMetadata('design:paramtypes', target) as unknown[] | undefined) ?? []),
    ...Object.values((Reflect.getOwnMetadata(tokensKey, target) as Record<string, unknown> | undefined) ?? {}),
  ];
  // `@inject` leaves a description with the token in it, emitted types are bare.
  const bare = tokens.map((token) => (typeof token === 'object' && token !== null && 'token' in token ? token.token : token));
  return bare.filter((token): token is Constructor => typeof token === 'function' && token.prototype !== undefined);
}
