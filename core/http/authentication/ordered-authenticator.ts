import type {Authenticator, AuthenticatorOptions} from '../../../sdk/index.js';

/** An authenticator with its place in the order, as provided by the kernel. */
export interface OrderedAuthenticator {
  readonly name: string;
  readonly order: number;
  readonly instance: Authenticator;
  readonly options?: Readonly<AuthenticatorOptions>;
}
