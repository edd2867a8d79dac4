import type {Lineage} from './store.js';

/** What a flag is set to. */
export interface FlagFact {
  readonly name: string;
  /** As `/flagz` shows it; `CLASSIFIED` for what may be a secret. */
  readonly value: string;
  /** `given`: on the command line, or by the program that made the server; `configuration`: by its file. */
  readonly source: 'given' | 'configuration' | 'default';
  /** The plugin that declares it; undefined for flags of the server itself. */
  readonly plugin: string | undefined;
}

/** A plugin, whether it takes part or not. */
export interface PluginFact {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly enabled: boolean;
  /** What decided whether it takes part, as operators know it. */
  readonly why: string;
  /** `built in`, or the package, module or folder that it comes from. */
  readonly origin: string;
  /** `resource configmaps`, `admission NamespaceLifecycle`, … */
  readonly contributes: readonly string[];
  /** What it may do: account, verbs, types; one line each. */
  readonly permissions: readonly string[];
  /** Its settings with defaults; `CLASSIFIED` for what may be a secret. Empty if it takes no part. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** How this process follows a shard of the store. */
export interface StoreShardFact {
  readonly shard: number;
  /** Whether its log is read now. */
  readonly following: boolean;
  /** Up to which revision it has been read. */
  readonly revision: number;
  /** How often its history was another one than before, and how often its log broke off, since the start. */
  readonly epochChanges: number;
  readonly breaks: number;
}

export interface StoreFact {
  /** The value of `--store`; `CLASSIFIED` if there is a password in it. */
  readonly store: string;
  /** What an acknowledged write survives, in one sentence. */
  readonly durability: string;
  readonly epoch: string | undefined;
  readonly shards: readonly StoreShardFact[];
  /** Of each place; empty for a store that begins anew whenever it is opened. */
  readonly lineages: readonly Lineage[];
}

/** What a server is made of and set to. Read on demand: nothing is kept for it. For administrators; contains no secrets. */
export interface ServerFacts {
  flags(): Promise<readonly FlagFact[]>;
  /** In the order in which they start. */
  plugins(): Promise<readonly PluginFact[]>;
  store(): Promise<StoreFact>;
  /** Whether requests are recorded: there is a policy, and an audit log or another sink. */
  isAuditing(): boolean;
}
