/** Permissions on resources. `*` means all; absent or empty `resourceNames` mean all objects. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Permissions on non-resource paths. A `*` at the end of a path matches any suffix. */
export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Everything a user may do in one namespace and, as far as rules express it, outside of it. Must not be modified. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** Whether the user may be allowed more than the rules say. */
  readonly incomplete: boolean;
  /** Why some rules could not be determined. */
  readonly error?: string;
}
