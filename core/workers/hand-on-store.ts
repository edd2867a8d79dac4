import {resolve} from 'node:path';
import {CooperativeScheduler, Tokens} from '../../sdk/index.js';
import {Bindings} from '../kernel/bindings.js';
import {Kernel} from '../kernel/kernel.js';
import {kernelOptions} from '../options/kernel-options.js';
import {levelsOf} from '../options/log-settings.js';
import {platformOf} from '../options/plugin-profiles.js';
import {resolveNaming} from '../options/resolve-naming.js';
import {defaultHistoryMillis, type ServerOptions} from '../options/server-options.js';
import {serverLog} from '../options/server-log.js';

/** The plugin that hands stores on. */
const plugin = 'store-remote';

/**
 * Opens the store of a server with these options, and hands it on to other processes.
 *
 * @param url where, of the scheme of a provider with `serve`
 * @returns undefined if they can open it themselves
 * @throws KernelError, or Error in one sentence
 */
export async function handOnStore(options: ServerOptions, url: string): Promise<{close(): Promise<void>} | undefined> {
  const {configuration = {}} = options;
  const cwd = options.cwd ?? process.cwd();
  const naming = resolveNaming(platformOf(options), configuration.naming);
  const {runtimeConfig: _, ...selection} = kernelOptions({...withPlugin(options), cwd, naming});
  const {logger, logLevel} = await serverLog(options);
  const scheduler = new CooperativeScheduler();
  const kernel = await Kernel.load({
    ...selection,
    logger: levelsOf(logLevel).filter(logger),
    values: new Bindings().value(Tokens.Naming, naming).value(Tokens.Scheduler, scheduler),
  });
  const storeUrl = options.store ?? configuration.store ?? 'embedded';
  const provider = await kernel.storeProvider(storeUrl);
  const dataDir = resolve(cwd, options.dataDir ?? configuration.dataDir ?? '.orch');
  const historyMillis = options.historyMillis ?? defaultHistoryMillis;
  const store = await provider.open({url: storeUrl, dataDir, historyMillis}, new AbortController().signal);
  if (store.exclusive !== true) {
    await store.close();
    return undefined;
  }
  const served = await (await kernel.storeProvider(url)).serve!(store, url);
  return {
    async close() {
      await served.close();
      await store.close();
    },
  };
}

/** Adds the plugin that hands on stores, and uses them. */
export function withPlugin(options: ServerOptions): ServerOptions {
  const {enablePlugins = [], disablePlugins} = options;
  return {
    ...options,
    enablePlugins: [...enablePlugins, plugin],
    ...(disablePlugins ? {disablePlugins: disablePlugins.filter((name) => name !== plugin)} : {}),
  };
}
