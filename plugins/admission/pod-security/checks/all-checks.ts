import {appArmor} from './app-armor.js';
import {capabilitiesBaseline} from './capabilities-baseline.js';
import {capabilitiesRestricted} from './capabilities-restricted.js';
import type {Check} from './check.js';
import {hostNamespaces} from './host-namespaces.js';
import {hostPathVolumes} from './host-path-volumes.js';
import {hostPorts} from './host-ports.js';
import {hostProcess} from './host-process.js';
import {privilegeEscalation} from './privilege-escalation.js';
import {privileged} from './privileged.js';
import {procMount} from './proc-mount.js';
import {restrictedVolumes} from './restricted-volumes.js';
import {runAsNonRoot} from './run-as-non-root.js';
import {runAsUser} from './run-as-user.js';
import {seLinux} from './se-linux.js';
import {seccompBaseline} from './seccomp-baseline.js';
import {seccompRestricted} from './seccomp-restricted.js';
import {sysctls} from './sysctls.js';

/** The controls of the Pod Security Standards as of release 1.26. */
export const allChecks: readonly Check[] = [
  appArmor,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProcess,
  privileged,
  procMount,
  seLinux,
  seccompBaseline,
  sysctls,
  capabilitiesRestricted,
  privilegeEscalation,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompRestricted,
];
