import type {ElementDeprecation} from '../../sdk/contracts/lifetimes.js';

/** A flag or command that earlier releases had. */
export interface RemovedElement {
  /** `--FLAG`, or `orch COMMAND`. */
  readonly name: string;
  /** Its deprecation, with the release that removed it. */
  readonly deprecated: ElementDeprecation & {readonly removal: string};
}

const admin = {audience: 'admin', stage: 'stable'} as const;
const log = {
  ...admin,
  since: '1.23',
  removal: '1.26',
  message: 'logs go to standard error; --log-level and --log-format tune them',
} as const;
const insecure = {
  ...admin,
  since: '1.10',
  removal: '1.24',
  message: 'requests are served with TLS only, at --bind-address and --secure-port',
} as const;

/**
 * Removed flags and commands. Using one prints what happened to it, and the check of declared lifetimes checks when they were removed.
 * Whatever is removed from the tables of flags and commands must be added here.
 */
export const removedElements: readonly RemovedElement[] = [
  {name: '--alsologtostderr', deprecated: log},
  {
    name: '--basic-auth-file',
    deprecated: {
      ...admin,
      since: '1.16',
      removal: '1.19',
      message: 'people are told by client certificates, tokens or an identity provider',
    },
  },
  {name: '--insecure-bind-address', deprecated: insecure},
  {name: '--insecure-port', deprecated: insecure},
  {name: '--log-dir', deprecated: log},
  {name: '--log-file', deprecated: log},
  {name: '--logtostderr', deprecated: log},
];
