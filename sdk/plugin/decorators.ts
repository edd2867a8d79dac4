import 'reflect-metadata';
import {injectable} from 'tsyringe';
import type {AdmissionOperation} from '../contracts/admission.js';
import {boolean, checkOptions, listOf, needed, number, oneOf, texts, type OptionRules} from './option-rules.js';

/**
 * Decorators record on a class what it contributes, and imply `@injectable()`; they touch no container. The kernel reads
 * the record when it verifies that a plugin exports what its manifest declares.
 */
export type ContributionKind =
  | 'store'
  | 'strategy'
  | 'virtualResource'
  | 'authenticator'
  | 'authorizer'
  | 'admission'
  | 'webhookCaller'
  | 'auditSink'
  | 'controller'
  | 'route'
  | 'service';

export interface AdmissionOptions {
  /** Operations for which the controller is called. */
  operations: readonly AdmissionOperation[];
  /** Resource types (`plural.group` in the neutral form, `plural` in the core group); all when absent. Subresources as `pods/status`. */
  resources?: readonly string[];
  /** Place in the chain: lower runs earlier; equal ones run by name. 500 by default. */
  order?: number;
  /**
   * `none`: calling it changes nothing outside the request. `some`: it does, so dry runs are rejected. `none-on-dry-run`: it handles
   * `dryRun` itself. Absent: `some` if it may call others, which it may if `admit` or `validate` is an async function or has returned a
   * promise; else `none`.
   */
  sideEffects?: 'none' | 'none-on-dry-run' | 'some';
}

export interface OrderOptions {
  /** Place among its kind: lower is asked earlier; equal ones by name. 500 by default. */
  order?: number;
}

export interface AuthenticatorOptions extends OrderOptions {
  /**
   * Asked last, and only about requests without credentials: no other authenticator has identified or refused the caller, and there is no
   * bearer token. Its result is used unchanged: its users are not in `system:authenticated`.
   */
  fallback?: boolean;
}

export interface ContributionRecord {
  readonly kind: ContributionKind;
  readonly options: Readonly<AdmissionOptions & OrderOptions> | Readonly<OrderOptions>;
}

type Class = abstract new (...parameters: never[]) => object;

// A registered symbol, so that the record is found with any copy of this package that the plugin was built with.
const recordKey = Symbol.for('orch.contribution');

const order = {order: number} satisfies OptionRules<keyof OrderOptions>;

/** The options that each kind has. */
const optionRules: Partial<Record<ContributionKind, OptionRules>> = {
  admission: {
    ...order,
    operations: needed(listOf(['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] satisfies AdmissionOperation[])),
    resources: texts,
    sideEffects: oneOf(['none', 'none-on-dry-run', 'some'] satisfies AdmissionOptions['sideEffects'][]),
  } satisfies OptionRules<keyof AdmissionOptions>,
  authenticator: {...order, fallback: boolean} satisfies OptionRules<keyof AuthenticatorOptions>,
  authorizer: order,
  webhookCaller: order,
  auditSink: order,
};

/** The options of a kind; none for those whose manifest says everything. */
export function rulesOfOptions(kind: ContributionKind): OptionRules {
  return optionRules[kind] ?? {};
}

/**
 * Records what a class contributes.
 *
 * @throws TypeError for options that the kind does not have, or values that they cannot have
 */
export function recordContribution(kind: ContributionKind, options: OrderOptions) {
  checkOptions(`@${kind}`, options, rulesOfOptions(kind));
  return (target: Class): void => {
    Object.defineProperty(target, recordKey, {value: {kind, options} satisfies ContributionRecord});
    // Metadata for tsyringe about a class whose constructor has `@inject` parameters; the class is not registered anywhere.
    injectable()(target as never);
  };
}

/** What a class contributes, or undefined if it has none of the decorators (records are not inherited). */
export function contributionOf(target: unknown): ContributionRecord | undefined {
  if (typeof target !== 'function' || !Object.hasOwn(target, recordKey)) return undefined;
  return (target as unknown as Record<symbol, ContributionRecord>)[recordKey];
}

/** Marks a `StoreProvider`. */
export const store = () => recordContribution('store', {});
/** Marks a `ResourceStrategy`. */
export const strategy = () => recordContribution('strategy', {});
/** Marks a `VirtualResource`. */
export const virtualResource = () => recordContribution('virtualResource', {});
/** Marks an `Authenticator`. */
export const authenticator = (options: AuthenticatorOptions = {}) => recordContribution('authenticator', options);
/** Marks an `Authorizer`. */
export const authorizer = (options: OrderOptions = {}) => recordContribution('authorizer', options);
/** Marks an `AdmissionController`. */
export const admission = (options: AdmissionOptions) => recordContribution('admission', options);
/** Marks a `WebhookCaller`. The first by order is used. */
export const webhookCaller = (options: OrderOptions = {}) => recordContribution('webhookCaller', options);
/** Marks an `AuditSink`. Every one gets every event. */
export const auditSink = (options: OrderOptions = {}) => recordContribution('auditSink', options);
/** Marks a `Controller`. */
export const controller = () => recordContribution('controller', {});
/** Marks a service for other plugins. */
export const service = () => recordContribution('service', {});
/** Marks a `Route`. */
export const route = () => recordContribution('route', {});
