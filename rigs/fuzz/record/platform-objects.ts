const namespaced = (groupVersion: string, resource: string) =>
  `${groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`}/namespaces/programs/${resource}`;
const admission = '/apis/admissionregistration.k8s.io';
const template = {metadata: {labels: {app: 'x'}}, spec: {containers: [{name: 'main', image: 'image:1'}]}};

const rules = [
  {apiGroups: ['shop.example'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['widgets/*'], scope: 'Namespaced'},
];
const webhook = {
  name: 'check.webhooks.example',
  rules,
  clientConfig: {url: 'https://127.0.0.1:1/check'},
  admissionReviewVersions: ['v1', 'v1beta1'],
  sideEffects: 'None',
  failurePolicy: 'Ignore',
  timeoutSeconds: 1,
  matchPolicy: 'Equivalent',
  namespaceSelector: {matchLabels: {checked: 'yes'}},
  objectSelector: {matchExpressions: [{key: 'checked', operator: 'Exists'}]},
};
const request =
  'MIHzMIGbAgEAMDkxFzAVBgNVBAoTDnN5c3RlbTptYXN0ZXJzMR4wHAYDVQQDExVrdWJlcm5ldGVzLWFkbWluLXRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ=';

/** Objects of the platform, each with the collection that it is written to. */
export const platformObjects: readonly (readonly [path: string, object: object])[] = [
  [`${admission}/v1/validatingwebhookconfigurations`, {metadata: {name: 'checks'}, webhooks: [webhook]}],
  [
    `${admission}/v1/mutatingwebhookconfigurations`,
    {
      metadata: {name: 'changes'},
      webhooks: [
        {
          ...webhook,
          name: 'change.webhooks.example',
          reinvocationPolicy: 'IfNeeded',
          clientConfig: {service: {namespace: 'programs', name: 'changer', path: '/change', port: 8443}, caBundle: ''},
        },
      ],
    },
  ],
  [
    `${admission}/v1alpha1/validatingadmissionpolicies`,
    {
      metadata: {name: 'limits'},
      spec: {
        failurePolicy: 'Fail',
        paramKind: {apiVersion: 'v1', kind: 'ConfigMap'},
        matchConstraints: {
          namespaceSelector: {},
          resourceRules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps']}],
          excludeResourceRules: [
            {apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'], resourceNames: ['x']},
          ],
        },
        validations: [
          {expression: '!has(object.data) || object.data.size() < 1000', message: 'too many', reason: 'Invalid'},
          {expression: 'request.operation != "DELETE" && (params == null || params.data.size() >= 0)'},
        ],
      },
    },
  ],
  [
    `${admission}/v1alpha1/validatingadmissionpolicybindings`,
    {
      metadata: {name: 'limits'},
      spec: {
        policyName: 'limits',
        paramRef: {name: 'read', namespace: 'default'},
        matchResources: {objectSelector: {matchLabels: {limited: 'yes'}}},
      },
    },
  ],
  [
    namespaced('v1', 'resourcequotas'),
    {
      metadata: {name: 'quota'},
      spec: {
        hard: {'count/configmaps': '500', 'requests.cpu': '100', 'limits.memory': '100Gi', pods: '200', 'services.nodeports': '10'},
        scopeSelector: {matchExpressions: [{scopeName: 'PriorityClass', operator: 'In', values: ['high']}]},
      },
    },
  ],
  [
    namespaced('v1', 'resourcequotas'),
    {metadata: {name: 'plain'}, spec: {hard: {pods: '50', 'count/secrets': '400'}, scopes: ['NotTerminating']}},
  ],
  [
    namespaced('v1', 'limitranges'),
    {
      metadata: {name: 'range'},
      spec: {
        limits: [
          {
            type: 'Container',
            default: {cpu: '500m'},
            defaultRequest: {cpu: '100m'},
            max: {cpu: '2', memory: '1Gi'},
            min: {cpu: '10m'},
            maxLimitRequestRatio: {cpu: '10'},
          },
          {type: 'Pod', max: {cpu: '4'}},
          {type: 'PersistentVolumeClaim', min: {storage: '1Gi'}, max: {storage: '10Gi'}},
        ],
      },
    },
  ],
  [
    namespaced('apps/v1', 'statefulsets'),
    {
      metadata: {name: 'set'},
      spec: {
        serviceName: 'set',
        replicas: 3,
        podManagementPolicy: 'Parallel',
        minReadySeconds: 1,
        revisionHistoryLimit: 2,
        updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 1, maxUnavailable: '50%'}},
        persistentVolumeClaimRetentionPolicy: {whenDeleted: 'Delete', whenScaled: 'Retain'},
        ordinals: {start: 2},
        selector: {matchLabels: {app: 'x'}},
        template,
        volumeClaimTemplates: [{metadata: {name: 'data'}, spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}}],
      },
    },
  ],
  [
    namespaced('batch/v1', 'jobs'),
    {
      metadata: {name: 'job'},
      spec: {ttlSecondsAfterFinished: 0, backoffLimit: 1, template: {spec: {...template.spec, restartPolicy: 'Never'}}},
    },
  ],
  [
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    {
      metadata: {name: 'csr'},
      spec: {
        request,
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth', 'digital signature'],
        expirationSeconds: 3600,
      },
    },
  ],
  [
    '/apis/apiregistration.k8s.io/v1/apiservices',
    {
      metadata: {name: 'v1beta1.metrics.k8s.io'},
      spec: {
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: {namespace: 'programs', name: 'metrics', port: 443},
      },
    },
  ],
  [
    namespaced('v1', 'events'),
    {
      metadata: {name: 'started'},
      involvedObject: {apiVersion: 'v1', kind: 'Pod', namespace: 'programs', name: 'one', uid: 'u', fieldPath: 'spec.containers{main}'},
      reason: 'Started',
      message: 'Started container main',
      type: 'Normal',
      count: 2,
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:05Z',
      source: {component: 'agent', host: 'node-1'},
    },
  ],
  [
    namespaced('events.k8s.io/v1', 'events'),
    {
      metadata: {name: 'series'},
      eventTime: '2026-01-01T00:00:00.000001Z',
      reportingController: 'agent.example/a',
      reportingInstance: 'agent-1',
      action: 'Starting',
      reason: 'Started',
      regarding: {apiVersion: 'v1', kind: 'Pod', namespace: 'programs', name: 'one'},
      related: {kind: 'Node', name: 'node-1'},
      note: 'started',
      type: 'Warning',
      series: {count: 2, lastObservedTime: '2026-01-01T00:00:09.000000Z'},
    },
  ],
  [
    namespaced('v1', 'serviceaccounts'),
    {metadata: {name: 'robot'}, automountServiceAccountToken: false, imagePullSecrets: [{name: 'pull'}], secrets: [{name: 'token'}]},
  ],
  [
    namespaced('v1', 'secrets'),
    {
      metadata: {name: 'token', annotations: {'kubernetes.io/service-account.name': 'robot'}},
      type: 'kubernetes.io/service-account-token',
    },
  ],
  [
    '/api/v1/namespaces/kube-system/secrets',
    {
      metadata: {name: 'bootstrap-token-abcdef'},
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': 'abcdef',
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-authentication': 'true',
        'auth-extra-groups': 'system:bootstrappers:x',
      },
    },
  ],
  [
    '/apis/flowcontrol.apiserver.k8s.io/v1beta3/prioritylevelconfigurations',
    {
      metadata: {name: 'slow'},
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 5,
          lendablePercent: 50,
          borrowingLimitPercent: 0,
          limitResponse: {type: 'Queue', queuing: {queues: 8, handSize: 2, queueLengthLimit: 10}},
        },
      },
    },
  ],
  [
    '/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas',
    {
      metadata: {name: 'slow'},
      spec: {
        priorityLevelConfiguration: {name: 'slow'},
        matchingPrecedence: 500,
        distinguisherMethod: {type: 'ByNamespace'},
        rules: [
          {
            subjects: [
              {kind: 'User', user: {name: 'jo'}},
              {kind: 'ServiceAccount', serviceAccount: {namespace: 'programs', name: '*'}},
            ],
            resourceRules: [{verbs: ['list'], apiGroups: ['*'], resources: ['*'], namespaces: ['programs'], clusterScope: true}],
            nonResourceRules: [{verbs: ['get'], nonResourceURLs: ['/metrics*']}],
          },
        ],
      },
    },
  ],
];

/** Changes below `status` and of other subresources. */
export const statusWrites: readonly (readonly [path: string, change: object])[] = [
  [
    '/apis/certificates.k8s.io/v1/certificatesigningrequests/csr/approval',
    {status: {conditions: [{type: 'Approved', status: 'True', reason: 'Fine', message: 'fine'}]}},
  ],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests/csr/status', {status: {certificate: 'bm9uZQ=='}}],
  [
    '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io/status',
    {status: {conditions: [{type: 'Available', status: 'False', reason: 'Gone', message: 'gone'}]}},
  ],
  [`${namespaced('apps/v1', 'statefulsets')}/set/scale`, {spec: {replicas: 1}}],
  [`${namespaced('apps/v1', 'statefulsets')}/set/status`, {status: {replicas: 3, readyReplicas: 1, observedGeneration: 1}}],
  [
    `${namespaced('batch/v1', 'jobs')}/job/status`,
    {status: {conditions: [{type: 'Complete', status: 'True'}], completionTime: '2026-01-01T00:00:00Z'}},
  ],
  [`${namespaced('v1', 'resourcequotas')}/quota/status`, {status: {used: {pods: '1'}}}],
  [
    '/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas/slow/status',
    {status: {conditions: [{type: 'Dangling', status: 'False', reason: 'Found', lastTransitionTime: '2026-01-01T00:00:00Z'}]}},
  ],
];
