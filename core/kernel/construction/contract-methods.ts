import type {AdmissionController} from '../../../sdk/contracts/admission.js';
import type {AuditSink} from '../../../sdk/contracts/audit-sink.js';
import type {Authenticator} from '../../../sdk/contracts/authenticator.js';
import type {Authorizer} from '../../../sdk/contracts/authorizer.js';
import type {Controller} from '../../../sdk/contracts/controller.js';
import type {Route} from '../../../sdk/contracts/route.js';
import type {StoreProvider} from '../../../sdk/contracts/store.js';
import type {ResourceStrategy} from '../../../sdk/contracts/strategy.js';
import type {VirtualResource} from '../../../sdk/contracts/virtual-resource.js';
import type {ChainedWebhookCaller} from '../../../sdk/contracts/webhook-caller.js';
import type {ContributionKind} from '../../../sdk/plugin/decorators.js';
import {nearestName} from '../nearest-name.js';

/** `needed`; `one`: it needs at least one of these; `may`. */
type Methods<T> = {
  readonly [K in keyof T as Required<T>[K] extends (...parameters: never[]) => unknown ? K : never]-?: 'needed' | 'one' | 'may';
};

/** Called on contributions of most kinds if they have them. */
const lifecycle = {start: 'may', bootstrap: 'may', stop: 'may'} as const;

/** The methods of each kind. The compiler compares them with the interfaces. */
const contracts: Readonly<Record<ContributionKind, Methods<Record<string, () => void>>>> = {
  store: {
    open: 'needed',
    status: 'may',
    acceptLoss: 'may',
    serve: 'may',
    backup: 'may',
    restore: 'may',
    rewrite: 'may',
  } satisfies Methods<StoreProvider>,
  strategy: {
    convert: 'one',
    convertMany: 'one',
    applyDefaults: 'one',
    prepareForCreate: 'one',
    prepareForUpdate: 'one',
    validateCreate: 'one',
    validateUpdate: 'one',
    canonicalize: 'one',
    beforeDelete: 'one',
    mayRemove: 'one',
    selectableFields: 'one',
    tableCells: 'one',
    rowConditions: 'one',
    start: 'one',
    bootstrap: 'one',
    stop: 'one',
  } satisfies Methods<ResourceStrategy>,
  virtualResource: {
    create: 'one',
    get: 'one',
    list: 'one',
    connect: 'one',
    upgrade: 'one',
    ...lifecycle,
  } satisfies Methods<VirtualResource>,
  authenticator: {authenticate: 'needed', ...lifecycle} satisfies Methods<Authenticator>,
  authorizer: {authorize: 'needed', rulesFor: 'may', ...lifecycle} satisfies Methods<Authorizer>,
  admission: {admit: 'one', validate: 'one', conclude: 'may', ...lifecycle} satisfies Methods<AdmissionController>,
  webhookCaller: {call: 'needed', ...lifecycle} satisfies Methods<ChainedWebhookCaller>,
  auditSink: {write: 'needed', close: 'may', ...lifecycle} satisfies Methods<AuditSink>,
  controller: {check: 'may', start: 'needed', bootstrap: 'may', stop: 'needed'} satisfies Methods<Controller>,
  route: {handle: 'needed', upgrade: 'may', ...lifecycle} satisfies Methods<Route>,
  // Its methods are a matter of the plugins that provide and use it.
  service: {},
};

/** All methods of a kind's contract. */
export function methodNames(kind: ContributionKind): readonly string[] {
  return Object.keys(contracts[kind]);
}

/** The method that a contribution needs and does not have: `admit or validate`. */
export function missingMethod(kind: ContributionKind, instance: object): string | undefined {
  const names = (role: string) => Object.keys(contracts[kind]).filter((name) => contracts[kind][name] === role);
  const needed = names('needed').find((name) => !hasMethod(instance, name));
  if (needed !== undefined) return needed;
  const one = names('one');
  if (one.length === 0 || one.some((name) => hasMethod(instance, name))) return undefined;
  return one.length > 5 ? 'of its interface' : one.join(' or ');
}

/** A method whose name looks like a misspelled method of the contract, so that it would never be called. */
export function misspelledMethod(kind: ContributionKind, instance: object): {readonly method: string; readonly meant: string} | undefined {
  const absent = Object.keys(contracts[kind]).filter((name) => !hasMethod(instance, name));
  for (const method of methodsOf(instance)) {
    if (Object.hasOwn(contracts[kind], method)) continue;
    const meant = nearestName(method, absent);
    // Only slips: a method that differs in more is more likely a helper.
    if (meant !== undefined && isSlip(method, meant)) return {method, meant};
  }
  return undefined;
}

/** Whether two names differ in no more than two places that lie together. */
function isSlip(left: string, right: string): boolean {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 2 && start + end >= 4;
}

function hasMethod(instance: object, name: string): boolean {
  return typeof (instance as Record<string, unknown>)[name] === 'function';
}

/** Names of all its methods. */
export function methodsOf(instance: object): Set<string> {
  const names = new Set<string>();
  for (
    let level: object | null = instance;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    for (const [name, {value}] of Object.entries(Object.getOwnPropertyDescriptors(level)))
      if (name !== 'constructor' && typeof value === 'function') names.add(name);
  }
  return names;
}
