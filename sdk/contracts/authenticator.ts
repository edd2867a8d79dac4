import type {X509Certificate} from 'node:crypto';
import type {UserInfo} from './user.js';

/** What of a request an authenticator may look at. */
export interface AuthenticationRequest {
  /** All values of a header, in the order they were sent; empty when absent. The name is lower-case. */
  header(name: string): readonly string[];
  /** Header names as sent, lower-cased, with values; repeated headers stand repeatedly. */
  headers(): Iterable<readonly [name: string, value: string]>;
  /**
   * The client certificate, if one was presented: verified against the server's client CAs (`authorized`) or not.
   * Expiry is checked anew at each call.
   */
  clientCertificate(): {readonly certificate: X509Certificate; readonly authorized: boolean; readonly problem?: string} | undefined;
  /** Address of the client. */
  readonly remoteAddress: string;
  /** A token must be for one of these: those that a review asks about, else those of the server itself. Empty where the server has none. */
  readonly audiences: readonly string[];
}

/** A caller that an authenticator knows. */
export interface AuthenticatedUser extends UserInfo {
  /**
   * Those of the request's `audiences` that the credentials are for, one at least. Left out by methods that know no audiences:
   * their credentials are for this server, and do not count in a review for others.
   */
  readonly audiences?: readonly string[];
}

/**
 * Establishes who makes a request. Contributed by a plugin as a class decorated with `@authenticator`.
 *
 * Answers in three ways: an identity; undefined, when the request carries no credentials of this method;
 * an exception (`unauthorized`), when it carries some that are not valid. Authenticators are asked in the order
 * of their priority until one answers with an identity; a request that nobody knows is anonymous or 401.
 * An exception of one does not end the search, but if nobody knows the caller the answer is 401.
 */
export interface Authenticator {
  authenticate(request: AuthenticationRequest): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>;
  /** Audiences of tokens that are for this server. Those of all authenticators together are the server's. */
  readonly serverAudiences?: readonly string[];
}
