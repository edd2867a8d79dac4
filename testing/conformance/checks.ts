import assert from 'node:assert/strict';

interface Expected {
  readonly instanceOf?: new (...argv: never[]) => Error;
}

/** The assertions of the suites. Each throws an AssertionError when what it is told does not hold. */
export interface Checks {
  is(value: unknown, expected: unknown, message?: string): void;
  deepEqual(value: unknown, expected: unknown, message?: string): void;
  true(value: boolean | undefined, message?: string): void;
  false(value: boolean, message?: string): void;
  notThrows(call: () => unknown, message?: string): void;
  notThrowsAsync(promise: Promise<unknown>, message?: string): Promise<void>;
  /** @returns the error with which it fails */
  throwsAsync<E extends Error = Error>(work: Promise<unknown> | (() => unknown), expected?: Expected, message?: string): Promise<E>;
}

export const checks: Checks = {
  is: (value, expected, message) => assert.equal(value, expected, message),
  deepEqual: (value, expected, message) => assert.deepEqual(value, expected, message),
  true: (value, message) => assert.equal(value, true, message),
  false: (value, message) => assert.equal(value, false, message),
  notThrows: (call, message) => assert.doesNotThrow(call, message),
  notThrowsAsync: (promise, message) => assert.doesNotReject(promise, message),
  async throwsAsync<E extends Error>(work: Promise<unknown> | (() => unknown), {instanceOf}: Expected = {}, message?: string): Promise<E> {
    let value: unknown;
    try {
      value = await (typeof work === 'function' ? work() : work);
    } catch (error) {
      assert.ok(error instanceof (instanceOf ?? Error), message ?? `it fails with ${String(error)}`);
      return error as E;
    }
    throw new assert.AssertionError({message: message ?? 'it should fail, and does not', actual: value});
  },
};
