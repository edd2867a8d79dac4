/** PEM texts of one user. */
export interface UserCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Who attacks. `tenant` is admin of one namespace, `builder` may do everything by RBAC without being of `system:masters`; `anonymous` shows no
 * certificate. `masters` prepares and is never an attacker.
 */
export type UserName = 'anonymous' | 'tenant' | 'builder' | 'masters' | `crowd-${number}`;

/** How many users `crowd-0`, `crowd-1`, … there are; each may read and write in the namespace. */
export const crowdSize = 40;

/** Where the server is and with which certificates it can be reached. */
export interface Besieged {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly users: Readonly<Record<string, UserCertificate>>;
}
