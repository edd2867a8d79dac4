/** What may be done with which resources. A `*` stands for all; `resourceNames` that are absent or empty for all objects. */
export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What may be done with which paths that are no resources. A `*` at the end of a path stands for any rest. */
export interface NonResourceRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** All that a user may do in one namespace and, as far as that shows by rules, outside of it. Never to be changed. */
export interface UserRules {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly NonResourceRule[];
  /** Whether the user may be allowed more than the rules say. */
  readonly incomplete: boolean;
  /** What kept rules from being found. */
  readonly error?: string;
}
