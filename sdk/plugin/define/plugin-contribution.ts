import type {ContributionKind, OrderOptions} from '../decorators.js';
import type {PluginContributions, ProvidedService} from '../manifest.js';
import type {PluginContext} from '../plugin-context.js';

/** How something that a plugin contributes comes into being. */
export interface ContributionSource {
  readonly kind: ContributionKind;
  /** What a decorator would say. */
  readonly options: OrderOptions;
  /** The name for it in messages, if it has one. */
  readonly name: string;
  readonly create: (context: PluginContext<never>) => object;
}

/** Members of `contributes`, and `provides`. */
export type ContributedMembers = PluginContributions & {readonly provides?: readonly ProvidedService[]};

/** What one of the `define…` functions returns: one entry of the list that `definePlugin` takes. */
export interface PluginContribution<C = never> {
  /**
   * What the manifest says of it.
   *
   * @param classFor registers how a contribution is created and returns the name that the manifest calls its class
   */
  readonly contributes: (classFor: (source: ContributionSource) => string) => ContributedMembers;
  /** Settings that it needs; only a type. */
  readonly settings?: (config: C) => void;
}

/** `R` without members that the contract does not have, so that a misspelled method does not compile. */
export type Exact<R, Contract> = R & {readonly [K in keyof R]: K extends KeysOf<Contract> ? R[K] : never};

/** Of a union, the members of all. */
type KeysOf<Contract> = Contract extends unknown ? keyof Contract : never;

/** Makes the object that does the work, once for a server (for controllers: once a term). State lives in its closure. */
export type Create<C, R, Contract> = (context: PluginContext<C>) => Exact<R, Contract>;
