import {namespaceFinalizer, type NamingProfile} from '../../../sdk/index.js';

/** Issuers of service account tokens: those that are given, else the server's own. */
export function accountIssuers(given: readonly string[] | undefined, naming: NamingProfile): readonly string[] {
  return given && given.length > 0 ? given : [`https://${namespaceFinalizer(naming)}.default.svc.cluster.local`];
}
