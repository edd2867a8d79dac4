/** Permissions. Rules with `nonResourceURLs` are about paths, all others about resources. */
export interface PolicyRule {
  verbs?: readonly string[] | null;
  apiGroups?: readonly string[] | null;
  resources?: readonly string[] | null;
  resourceNames?: readonly string[] | null;
  nonResourceURLs?: readonly string[] | null;
}
