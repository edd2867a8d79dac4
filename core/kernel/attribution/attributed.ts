import type {Store, StoreProvider} from '../../../sdk/contracts/store.js';
import type {ContributionKind} from '../../../sdk/plugin/decorators.js';
import {methodNames, methodsOf} from '../construction/contract-methods.js';
import {rulesOf} from './contract-rules.js';
import {Hook, type HookFunction} from './hook.js';
import type {HookCalls} from './hook-calls.js';

/** Whose methods are called, and how that is watched. */
export interface Attribution {
  readonly plugin: string;
  readonly kind: ContributionKind;
  readonly name: string;
  /** Whether the plugin did not come with the program. Calls of its methods are timed. */
  readonly isForeign: boolean;
  /** Whether all results are checked against the contract, and read-only arguments for changes. */
  readonly isStrict: boolean;
  readonly calls: HookCalls;
}

/** Methods without a time limit: connections, responses, work of operators; starts and stops have their own limits. */
const lasting: ReadonlySet<string> = new Set([
  ...['start', 'bootstrap', 'stop', 'check', 'close', 'connect', 'upgrade', 'handle'],
  ...['open', 'serve', 'status', 'acceptLoss', 'backup', 'restore'],
]);

const storeMethods = [
  'shardOf',
  'placeOf',
  'read',
  'list',
  'types',
  'history',
  'commit',
  'revision',
  'follow',
  'compact',
  'ping',
  'now',
  'close',
] satisfies (keyof Store)[];

/** The instance behind each wrapper. */
const originals = new WeakMap<object, object>();

/**
 * Wraps the instance of a contribution: its errors are attributed to the plugin, and slow calls are logged with its name. The wrapper has the methods that the
 * instance has when this is called.
 */
export function attributed<T extends object>(instance: T, attribution: Attribution): T {
  const standIn = standInOf(
    instance,
    attribution.kind === 'service' ? [...methodsOf(instance)] : methodNames(attribution.kind),
    attribution,
  );
  if (attribution.kind === 'store' && attribution.isForeign)
    overStores(instance as unknown as StoreProvider, standIn as unknown as StoreProvider, attribution);
  return standIn;
}

function standInOf<T extends object>(instance: T, methods: readonly string[], attribution: Attribution): T {
  const {plugin, kind, name, isForeign: isTimed, isStrict, calls} = attribution;
  const standIn = Object.create(instance) as Record<string, unknown>;
  for (const name of getters(instance))
    Object.defineProperty(standIn, name, {get: () => (instance as Record<string, unknown>)[name], configurable: true});
  for (const method of methods) {
    const own = (instance as Record<string, unknown>)[method];
    if (typeof own !== 'function') continue;
    const hook = new Hook(plugin, kind, name, method, {
      calls,
      isTimed,
      mayLast: lasting.has(method),
      rules: rulesOf(kind, method, isStrict),
    });
    Object.defineProperty(standIn, method, {value: hook.around(instance, own as HookFunction), configurable: true});
  }
  originals.set(standIn, instance);
  return standIn as T;
}

/** Names of getters: those of a class may need private members, which a wrapper does not have. */
function getters(instance: object): string[] {
  const names: string[] = [];
  for (
    let level: object | null = instance;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  )
    for (const [name, {get}] of Object.entries(Object.getOwnPropertyDescriptors(level))) if (get) names.push(name);
  return [...new Set(names)];
}

/** The stores that a provider opens are its plugin's code too. Those that come with the program have no part in this, since all that they throw are errors of stores. */
function overStores(provider: StoreProvider, standIn: StoreProvider, attribution: Attribution): void {
  const {open, serve} = standIn;
  const opened: StoreProvider['open'] = async (options, signal) => standInOf(await open(options, signal), storeMethods, attribution);
  Object.defineProperty(standIn, 'open', {value: opened});
  if (!provider.serve) return;
  const served: NonNullable<StoreProvider['serve']> = (store, url) => serve!((originals.get(store) ?? store) as Store, url);
  Object.defineProperty(standIn, 'serve', {value: served});
}
