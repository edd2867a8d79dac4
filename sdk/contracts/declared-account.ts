/** A rule as in a ClusterRole, about resources. */
export interface Permission {
  readonly verbs: readonly string[];
  /** In the neutral form; empty for the core group. */
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** In a manifest in the neutral form too: the platform's own signers are `orch/…`. In a `DeclaredAccount` as the platform spells them. */
  readonly resourceNames?: readonly string[];
}

/** An account whose permissions a manifest declares, for authorizers that see to it that it may do them. */
export type DeclaredAccount = ControllerAccount | PluginAccount;

/** The account of controllers. They may record Events besides. */
export interface ControllerAccount {
  /** Name of the service account in the system namespace. */
  readonly serviceAccount: string;
  readonly plugin?: undefined;
  readonly permissions: readonly Permission[];
}

/** The user as which a plugin's own client acts. */
export interface PluginAccount {
  /** Its name is `system:plugin:PLUGIN`. */
  readonly plugin: string;
  readonly serviceAccount?: undefined;
  /** Besides reading the types that the plugin contributes, about which nobody is asked. */
  readonly permissions: readonly Permission[];
}
