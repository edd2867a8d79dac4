import type {X509Certificate} from 'node:crypto';
import type {UserInfo} from './user.js';
import type {Startable} from './startable.js';

/** The parts of a request that an authenticator sees. */
export interface AuthenticationRequest {
  /** All values of a header, in the order they were sent; empty when absent. The name is lower-case. */
  header(name: string): readonly string[];
  /** Header names, lower-cased, with values, in the order sent; repeated headers appear repeatedly. */
  headers(): Iterable<readonly [name: string, value: string]>;
  /**
   * The client certificate, if one was presented: verified against the server's client CAs (`authorized`) or not.
   * Expiry is checked again on each call.
   */
  clientCertificate(): {readonly certificate: X509Certificate; readonly authorized: boolean; readonly problem?: string} | undefined;
  /** Path of the request; empty in a review of a token. */
  readonly path: string;
  /** Address of the client. */
  readonly remoteAddress: string;
  /** A token must be for one of these: those that a review asks about, else the server's own. Empty if the server has none. */
  readonly audiences: readonly string[];
  /** Adds a warning to the answer, in one sentence. Without effect in a review of a token. */
  warn?(text: string): void;
  /** Notes something for the audit log, under a key with a domain. Without effect in a review of a token. */
  annotate?(key: string, value: string): void;
}

/** A caller identified by an authenticator. */
export interface AuthenticatedUser extends UserInfo {
  /**
   * The request's `audiences` that the credentials are for, at least one. Omitted by methods without audiences:
   * their credentials are for this server, and do not count in a review for other audiences.
   */
  readonly audiences?: readonly string[];
}

/**
 * Establishes who makes a request. Contributed by a plugin as a class decorated with `@authenticator`.
 *
 * It has three outcomes: an identity; undefined, if the request carries no credentials of this method;
 * an exception (`unauthorized`), if they are invalid. Authenticators are asked in order of priority
 * until one returns an identity; if none does, the request is anonymous or gets 401.
 * An exception does not end the search, but if then nobody knows the caller, the response is 401.
 */
export interface Authenticator extends Startable {
  authenticate(request: AuthenticationRequest): AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>;
  /**
   * Of a fallback: whether nobody but it lets requests without credentials in, not even those for the health of the server, which otherwise everybody may ask for. Looked at
   * with each such request.
   */
  readonly isExclusive?: boolean;
  /** Token audiences that mean this server. The server's audiences are those of all authenticators together. */
  readonly serverAudiences?: readonly string[];
}
