/** Requests that wait for the line `ready` come before. */
const delayMillis = 500;

/**
 * Gives back to the system, a moment from now, what only the start needed: some 15 MB. V8 keeps the space for new objects as large as the start made
 * it, until it collects garbage as if memory were short; that takes 40 ms, once. Does nothing unless Node.js was given `--expose-gc`, as
 * `npm start` and the `orch` command do.
 */
export function releaseStartMemory(): void {
  setTimeout(() => globalThis.gc?.({type: 'major', execution: 'sync', flavor: 'last-resort'}), delayMillis).unref();
}
