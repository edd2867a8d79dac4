import type {Container, PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';

/** Annotations, as Kubernetes spells them. */
export const keys = {
  appArmorContainer: 'container.apparmor.security.beta.kubernetes.io/',
  seccompPod: 'seccomp.security.alpha.kubernetes.io/pod',
  seccompContainer: 'container.seccomp.security.alpha.kubernetes.io/',
};
type Annotations = Record<string, string>;
type ContainerChange = Partial<Container>;

/** A pod that does one thing in one form, and what the levels say of it. */
export interface Form {
  /** What the form is. */
  readonly form: string;
  readonly pod?: PodSpec;
  /** Goes into the containers of these names. */
  readonly containers?: Readonly<Record<string, ContainerChange>>;
  readonly annotations?: Annotations;
  /** The versions that forbid it, and their words; without, every version allows it. */
  readonly forbidden?: {readonly since?: number; readonly until?: number; readonly reason: string; readonly detail: string};
  /** Only the level `restricted` forbids it. */
  readonly restrictedOnly?: boolean;
  /** What other checks of `restricted` say of it is no part of the row. */
  readonly also?: readonly string[];
}

const security = (securityContext: unknown): ContainerChange => ({securityContext}) as ContainerChange;
const windows: PodSpec = {os: {name: 'windows'}};

/** Forms of each control, allowed and forbidden. */
export const controls: Readonly<Record<string, readonly Form[]>> = {
  windowsHostProcess: [
    {
      form: 'false everywhere',
      pod: {securityContext: {windowsOptions: {hostProcess: false}}},
      containers: {a: security({windowsOptions: {hostProcess: false}})},
    },
    {form: 'options without it', pod: {securityContext: {windowsOptions: {}}}, containers: {a: security({windowsOptions: {}})}},
    {
      form: 'true for the pod',
      pod: {securityContext: {windowsOptions: {hostProcess: true}}},
      forbidden: {reason: 'hostProcess', detail: 'pod must not set securityContext.windowsOptions.hostProcess=true'},
    },
    {
      form: 'true for the pod and two containers',
      pod: {securityContext: {windowsOptions: {hostProcess: true}}},
      containers: {i: security({windowsOptions: {hostProcess: true}}), b: security({windowsOptions: {hostProcess: true}})},
      forbidden: {
        reason: 'hostProcess',
        detail: 'pod and containers "i", "b" must not set securityContext.windowsOptions.hostProcess=true',
      },
    },
    {
      form: 'true for an ephemeral container',
      containers: {e: security({windowsOptions: {hostProcess: true}})},
      forbidden: {reason: 'hostProcess', detail: 'container "e" must not set securityContext.windowsOptions.hostProcess=true'},
    },
  ],
  hostNamespaces: [
    {form: 'all false', pod: {hostNetwork: false, hostPID: false, hostIPC: false}},
    {form: 'network', pod: {hostNetwork: true}, forbidden: {reason: 'host namespaces', detail: 'hostNetwork=true'}},
    {form: 'processes', pod: {hostPID: true}, forbidden: {reason: 'host namespaces', detail: 'hostPID=true'}},
    {form: 'memory', pod: {hostIPC: true}, forbidden: {reason: 'host namespaces', detail: 'hostIPC=true'}},
    {
      form: 'all',
      pod: {hostIPC: true, hostNetwork: true, hostPID: true},
      forbidden: {reason: 'host namespaces', detail: 'hostNetwork=true, hostPID=true, hostIPC=true'},
    },
  ],
  privileged: [
    {form: 'false', containers: {a: security({privileged: false}), e: security({privileged: false})}},
    {
      form: 'one container',
      containers: {a: security({privileged: true})},
      forbidden: {reason: 'privileged', detail: 'container "a" must not set securityContext.privileged=true'},
    },
    {
      form: 'containers of every kind',
      containers: {e: security({privileged: true}), i: security({privileged: true}), b: security({privileged: true})},
      forbidden: {reason: 'privileged', detail: 'containers "i", "b", "e" must not set securityContext.privileged=true'},
    },
  ],
  capabilities: [
    {form: 'the port capability', containers: {a: security({capabilities: {drop: ['ALL'], add: ['NET_BIND_SERVICE']}})}},
    {form: 'ALL among others', containers: {a: security({capabilities: {drop: ['NET_RAW', 'ALL', 'KILL']}})}},
    {
      form: 'a usual one',
      containers: {a: security({capabilities: {drop: ['ALL'], add: ['CHOWN', 'AUDIT_WRITE']}})},
      restrictedOnly: true,
      forbidden: {
        since: 22,
        reason: 'unrestricted capabilities',
        detail: 'container "a" must not include "AUDIT_WRITE", "CHOWN" in securityContext.capabilities.add',
      },
    },
    {
      form: 'nothing dropped',
      containers: {a: security({capabilities: {}}), i: security({capabilities: undefined}), e: {securityContext: null} as never},
      restrictedOnly: true,
      also: ['allowPrivilegeEscalation != false'],
      forbidden: {
        since: 22,
        reason: 'unrestricted capabilities',
        detail: 'containers "i", "a", "e" must set securityContext.capabilities.drop=["ALL"]',
      },
    },
    {
      form: 'something else dropped',
      containers: {b: security({capabilities: {drop: ['NET_RAW']}})},
      restrictedOnly: true,
      forbidden: {
        since: 22,
        reason: 'unrestricted capabilities',
        detail: 'container "b" must set securityContext.capabilities.drop=["ALL"]',
      },
    },
    {
      form: 'nothing dropped and one added',
      containers: {b: security({capabilities: {add: ['KILL']}})},
      restrictedOnly: true,
      forbidden: {
        since: 22,
        reason: 'unrestricted capabilities',
        detail:
          'container "b" must set securityContext.capabilities.drop=["ALL"]; container "b" must not include "KILL" in securityContext.capabilities.add',
      },
    },
    {
      form: 'nothing dropped on Windows',
      pod: windows,
      containers: {a: security({capabilities: undefined})},
      restrictedOnly: true,
      forbidden: {
        since: 22,
        until: 24,
        reason: 'unrestricted capabilities',
        detail: 'container "a" must set securityContext.capabilities.drop=["ALL"]',
      },
    },
    {
      form: 'unusual ones',
      containers: {
        a: security({capabilities: {drop: ['ALL'], add: ['SYS_ADMIN', 'KILL']}}),
        e: security({capabilities: {drop: ['ALL'], add: ['NET_RAW']}}),
      },
      forbidden: {
        reason: 'non-default capabilities',
        detail: 'containers "a", "e" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add',
      },
    },
  ],
  hostPathVolumes: [
    {form: 'another volume', pod: {volumes: [{name: 'v', emptyDir: {}}]}},
    {
      form: 'two folders of the host',
      pod: {
        volumes: [
          {name: 'v', hostPath: {path: '/a'}},
          {name: 'w', emptyDir: {}},
          {name: 'x', hostPath: {path: '/b'}},
        ],
      },
      forbidden: {reason: 'hostPath volumes', detail: 'volumes "v", "x"'},
    },
  ],
  hostPorts: [
    {form: 'ports without one on the host', containers: {a: {ports: [{containerPort: 1}, {containerPort: 2, hostPort: 0}]}}},
    {
      form: 'one port',
      containers: {a: {ports: [{containerPort: 1, hostPort: 80}]}},
      forbidden: {reason: 'hostPort', detail: 'container "a" uses hostPort 80'},
    },
    {
      form: 'ports of several containers',
      containers: {a: {ports: [{containerPort: 1, hostPort: 8080}]}, e: {ports: [{containerPort: 1, hostPort: 22}]}},
      forbidden: {reason: 'hostPort', detail: 'containers "a", "e" use hostPorts 22, 8080'},
    },
  ],
  appArmorProfile: [
    {form: 'the profile of the runtime', annotations: {[`${keys.appArmorContainer}a`]: 'runtime/default'}},
    {form: 'a profile of the node', annotations: {[`${keys.appArmorContainer}a`]: 'localhost/x', [`${keys.appArmorContainer}b`]: ''}},
    {
      form: 'none',
      annotations: {[`${keys.appArmorContainer}a`]: 'unconfined'},
      forbidden: {reason: 'forbidden AppArmor profile', detail: `${keys.appArmorContainer}a="unconfined"`},
    },
    {
      form: 'none for several containers',
      annotations: {[`${keys.appArmorContainer}b`]: 'unconfined', [`${keys.appArmorContainer}a`]: 'bogus'},
      forbidden: {
        reason: 'forbidden AppArmor profiles',
        detail: `${keys.appArmorContainer}a="bogus", ${keys.appArmorContainer}b="unconfined"`,
      },
    },
    {
      form: 'allowed types in fields',
      pod: {securityContext: {appArmorProfile: {type: 'RuntimeDefault'}}},
      containers: {a: security({appArmorProfile: {type: 'Localhost', localhostProfile: 'x'}})},
    },
    {
      form: 'none in fields',
      pod: {securityContext: {appArmorProfile: {type: 'Unconfined'}}},
      containers: {a: security({appArmorProfile: {type: 'Unconfined'}})},
      forbidden: {
        reason: 'forbidden AppArmor profile',
        detail: 'pod and container "a" must not set AppArmor profile type to "Unconfined"',
      },
    },
  ],
  seLinuxOptions: [
    {form: 'no options', pod: {securityContext: {seLinuxOptions: {}}}, containers: {a: security({seLinuxOptions: {level: 's0'}})}},
    ...['container_t', 'container_init_t', 'container_kvm_t'].map((type) => ({
      form: type,
      containers: {a: security({seLinuxOptions: {type}})},
    })),
    {
      form: 'another type for the pod',
      pod: {securityContext: {seLinuxOptions: {type: 'spc_t'}}},
      forbidden: {reason: 'seLinuxOptions', detail: 'pod set forbidden securityContext.seLinuxOptions: type "spc_t"'},
    },
    {
      form: 'user and role',
      pod: {securityContext: {seLinuxOptions: {user: 'u'}}},
      containers: {
        a: security({seLinuxOptions: {role: 'r'}}),
        e: security({seLinuxOptions: {type: 'z'}}),
        b: security({seLinuxOptions: {type: 'y'}}),
      },
      forbidden: {
        reason: 'seLinuxOptions',
        detail:
          'pod and containers "a", "b", "e" set forbidden securityContext.seLinuxOptions: types "y", "z"; user may not be set; role may not be set',
      },
    },
  ],
  procMount: [
    {form: 'the usual', containers: {a: security({procMount: 'Default'})}},
    {
      form: 'unmasked',
      containers: {a: security({procMount: 'Unmasked'}), i: security({procMount: 'Odd'})},
      forbidden: {reason: 'procMount', detail: 'containers "i", "a" must not set securityContext.procMount to "Odd", "Unmasked"'},
    },
  ],
  seccomp: [
    {form: 'a profile of the node', pod: {securityContext: {seccompProfile: {type: 'Localhost', localhostProfile: 'x'}}}},
    {
      form: 'unconfined pod',
      pod: {securityContext: {seccompProfile: {type: 'Unconfined'}}},
      forbidden: {since: 19, reason: 'seccompProfile', detail: 'pod must not set securityContext.seccompProfile.type to "Unconfined"'},
    },
    {
      form: 'unconfined containers',
      containers: {a: security({seccompProfile: {type: 'Unconfined'}}), e: security({seccompProfile: {type: 'Unconfined'}})},
      forbidden: {
        since: 19,
        reason: 'seccompProfile',
        detail: 'containers "a", "e" must not set securityContext.seccompProfile.type to "Unconfined"',
      },
    },
    {
      form: 'no profile for some containers',
      pod: {securityContext: {seccompProfile: undefined}},
      containers: {a: security({seccompProfile: {type: 'RuntimeDefault'}}), i: security({seccompProfile: {type: 'Localhost'}})},
      restrictedOnly: true,
      forbidden: {
        since: 19,
        reason: 'seccompProfile',
        detail: 'pod or containers "b", "e" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"',
      },
    },
    {
      form: 'no profile on Windows',
      pod: {...windows, securityContext: {seccompProfile: undefined}},
      restrictedOnly: true,
      forbidden: {
        since: 19,
        until: 24,
        reason: 'seccompProfile',
        detail: 'pod or containers "i", "a", "b", "e" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"',
      },
    },
    {
      form: 'annotations that filter',
      annotations: {
        [keys.seccompPod]: 'runtime/default',
        [`${keys.seccompContainer}a`]: 'docker/default',
        [`${keys.seccompContainer}b`]: 'localhost/x',
      },
    },
    {form: 'an annotation of no container', annotations: {[`${keys.seccompContainer}other`]: 'unconfined'}},
    {
      form: 'an annotation that does not filter',
      annotations: {[keys.seccompPod]: 'unconfined'},
      forbidden: {until: 18, reason: 'seccompProfile', detail: `forbidden annotation ${keys.seccompPod}="unconfined"`},
    },
    {
      form: 'annotations that do not filter',
      annotations: {[`${keys.seccompContainer}e`]: 'unconfined', [`${keys.seccompContainer}a`]: ''},
      forbidden: {
        until: 18,
        reason: 'seccompProfile',
        detail: `forbidden annotations ${keys.seccompContainer}a="", ${keys.seccompContainer}e="unconfined"`,
      },
    },
  ],
  sysctls: [
    {
      form: 'the safe ones',
      pod: {
        securityContext: {
          sysctls: [
            'kernel.shm_rmid_forced',
            'net.ipv4.ip_local_port_range',
            'net.ipv4.tcp_syncookies',
            'net.ipv4.ping_group_range',
            'net.ipv4.ip_unprivileged_port_start',
          ].map((name) => ({name, value: '1'})),
        },
      },
    },
    {
      form: 'others',
      pod: {
        securityContext: {
          sysctls: [{name: 'kernel.msgmax'}, {name: 'net.ipv4.tcp_syncookies'}, {name: 'net.ipv4.ip_local_reserved_ports'}],
        },
      },
      forbidden: {reason: 'forbidden sysctls', detail: 'kernel.msgmax, net.ipv4.ip_local_reserved_ports'},
    },
  ],
  restrictedVolumes: [
    ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected', 'secret'].map((type) => ({
      form: type,
      pod: {volumes: [{name: 'v', [type]: {}}]},
    })),
    ...[
      'gcePersistentDisk',
      'awsElasticBlockStore',
      'gitRepo',
      'nfs',
      'iscsi',
      'glusterfs',
      'rbd',
      'flexVolume',
      'cinder',
      'cephfs',
      'flocker',
      'fc',
      'azureFile',
      'vsphereVolume',
      'quobyte',
      'azureDisk',
      'portworxVolume',
      'scaleIO',
      'storageos',
      'photonPersistentDisk',
    ].map((type) => ({
      form: type,
      pod: {volumes: [{name: 'v', [type]: {}}]},
      restrictedOnly: true,
      forbidden: {reason: 'restricted volume types', detail: `volume "v" uses restricted volume type "${type}"`},
    })),
    {
      form: 'several and one that is not known',
      pod: {volumes: [{name: 'v', nfs: {}}, {name: 'w', gitRepo: {}}, {name: 'x'}, {name: 'y', nfs: {}}]} as PodSpec,
      restrictedOnly: true,
      forbidden: {
        reason: 'restricted volume types',
        detail: 'volumes "v", "w", "x", "y" use restricted volume types "gitRepo", "nfs", "unknown"',
      },
    },
  ],
  allowPrivilegeEscalation: [
    {
      form: 'true, not said, no security context',
      containers: {a: security({allowPrivilegeEscalation: true}), e: security({allowPrivilegeEscalation: undefined})},
      restrictedOnly: true,
      forbidden: {
        since: 8,
        reason: 'allowPrivilegeEscalation != false',
        detail: 'containers "a", "e" must set securityContext.allowPrivilegeEscalation=false',
      },
    },
    {
      form: 'not said on Windows',
      pod: windows,
      containers: {a: security({allowPrivilegeEscalation: undefined})},
      restrictedOnly: true,
      forbidden: {
        since: 8,
        until: 24,
        reason: 'allowPrivilegeEscalation != false',
        detail: 'container "a" must set securityContext.allowPrivilegeEscalation=false',
      },
    },
  ],
  runAsNonRoot: [
    {
      form: 'every container itself',
      pod: {securityContext: {runAsNonRoot: undefined}},
      containers: Object.fromEntries(['i', 'a', 'b', 'e'].map((name) => [name, security({runAsNonRoot: true})])),
    },
    {
      form: 'false for the pod, true for every container',
      pod: {securityContext: {runAsNonRoot: false}},
      containers: Object.fromEntries(['i', 'a', 'b', 'e'].map((name) => [name, security({runAsNonRoot: true})])),
      restrictedOnly: true,
      forbidden: {reason: 'runAsNonRoot != true', detail: 'pod must not set securityContext.runAsNonRoot=false'},
    },
    {
      form: 'false for one container',
      containers: {e: security({runAsNonRoot: false})},
      restrictedOnly: true,
      forbidden: {reason: 'runAsNonRoot != true', detail: 'container "e" must not set securityContext.runAsNonRoot=false'},
    },
    {
      form: 'not said',
      pod: {securityContext: {runAsNonRoot: undefined}},
      containers: {a: security({runAsNonRoot: true})},
      restrictedOnly: true,
      forbidden: {reason: 'runAsNonRoot != true', detail: 'pod or containers "i", "b", "e" must set securityContext.runAsNonRoot=true'},
    },
  ],
  runAsUser: [
    {form: 'another user', pod: {securityContext: {runAsUser: 1000}}, containers: {a: security({runAsUser: 1})}},
    {
      form: 'root for the pod',
      pod: {securityContext: {runAsUser: 0}},
      restrictedOnly: true,
      forbidden: {since: 23, reason: 'runAsUser=0', detail: 'pod must not set runAsUser=0'},
    },
    {
      form: 'root for the pod and containers',
      pod: {securityContext: {runAsUser: 0}},
      containers: {a: security({runAsUser: 0}), e: security({runAsUser: 0})},
      restrictedOnly: true,
      forbidden: {since: 23, reason: 'runAsUser=0', detail: 'pod and containers "a", "e" must not set runAsUser=0'},
    },
  ],
};
