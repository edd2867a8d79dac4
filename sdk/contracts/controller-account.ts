import type {ControllerPermission} from '../plugin/manifest.js';

/** The account of a controller, for authorizers that see to it that it may do what its manifest says. */
export interface ControllerAccount {
  /** Name of the service account in the system namespace. */
  readonly serviceAccount: string;
  /** What the manifest asks for, beside reading and recording Events. */
  readonly permissions: readonly ControllerPermission[];
}
