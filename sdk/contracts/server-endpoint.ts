/** Where clients of other machines reach this server, and whose client certificates it trusts. */
export interface ServerEndpoint {
  /** IP address (`--advertise-address`). */
  readonly address: string;
  /** 0 until the server listens: known from the `start` of controllers on. */
  readonly port: number;
  /** The CAs that client certificates are verified with now, PEM; empty until the server listens. */
  readonly clientAuthorities: string;
  /** Whether other processes of the same server go on serving the address when this one stops. */
  readonly remains: boolean;
  /** Which of several processes of the server this is, from 1: no two have the same at the same time. Undefined for the only one. */
  readonly process: number | undefined;
}
