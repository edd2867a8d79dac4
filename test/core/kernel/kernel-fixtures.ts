import type {ExecutionContext} from 'ava';
import {basename} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Logger} from '../../../sdk/index.js';
import {kernelOptions, optionName, type PluginOptions} from '../../../core/options/kernel-options.js';
import {Bindings} from '../../../core/kernel/bindings.js';
import {offerSdk} from '../../../core/kernel/loading/offer-sdk.js';
import {Kernel, type KernelOptions} from '../../../core/kernel/kernel.js';
import {KernelError, type KernelProblem} from '../../../core/kernel/kernel-error.js';

// Plugins of the fixtures import the sdk by its name, those too that are found as the built-in ones are.
offerSdk();

/** A logger that keeps nothing. */
export const silent: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};

/** Folder of fixture plugins; each of its folders is one root. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/plugins/${name}`, import.meta.url));
}

/** What constructors can ask for in a test. */
export function offered(...entries: readonly (readonly [token: unknown, make: (plugin: string) => unknown])[]): Bindings {
  const values = new Bindings();
  for (const [token, make] of entries) values.perPlugin(token as never, make);
  return values;
}

/** Options of a server, and of its kernel. */
export type FixtureOptions = PluginOptions & Partial<Pick<KernelOptions, 'logger' | 'values' | 'timeouts' | 'platformGates'>>;

/** Loads the plugins of one fixture root and nothing else, with the options of a server. */
export async function loadFixture(
  name: string,
  {logger, values, timeouts, platformGates, ...options}: FixtureOptions = {},
): Promise<Kernel> {
  const selection = kernelOptions({pluginRoots: [fixture(name)], optionName, ...options});
  return Kernel.load({
    ...selection,
    logger: logger ?? silent,
    ...(values ? {values} : {}),
    ...(timeouts ? {timeouts} : {}),
    ...(platformGates ? {platformGates} : {}),
  });
}

/** The problems with which something fails. */
export async function problemsOf(t: ExecutionContext, action: () => Promise<unknown>): Promise<readonly KernelProblem[]> {
  const error = await t.throwsAsync(action, {any: true});
  if (!KernelError.is(error)) {
    t.fail(`not a KernelError: ${String(error)}`);
    return [];
  }
  return error.problems;
}

/** Code, plugin and path, and the folder of the file: what tests compare. */
export function places(problems: readonly KernelProblem[]): string[] {
  return problems.map(({code, plugin, path, file}) =>
    [code, plugin ?? '-', path ?? '-', file === undefined ? '-' : basename(file)].join(' '),
  );
}
