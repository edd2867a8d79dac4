import {ageColumn, column, nameColumn, wide, type WideTableCase} from './wide-table-case.js';

const labels = {app: 'web', tier: 'a'};
const containers = [
  {name: 'main', image: 'nginx:1'},
  {name: 'side', image: 'proxy:2'},
];
const template = {metadata: {labels}, spec: {containers}};
const selector = {matchLabels: {app: 'web'}, matchExpressions: [{key: 'tier', operator: 'In', values: ['b', 'a']}]};
const once = {metadata: {labels}, spec: {containers, restartPolicy: 'Never'}};
const times = {startTime: '2030-01-01T00:00:00Z', completionTime: '2030-01-01T00:03:30Z'};

/** Tables of pods and of what makes pods, by the column tables of the facts. */
export const workloadTables: readonly WideTableCase[] = [
  {
    path: '/api/v1/namespaces/NS/pods',
    kind: 'Pod',
    objects: [
      {object: {metadata: {name: 'new'}, spec: {containers: [containers[0]]}}},
      {
        object: {
          metadata: {name: 'troubled'},
          spec: {containers, nodeName: 'node-a', readinessGates: [{conditionType: 'example.com/a'}, {conditionType: 'example.com/b'}]},
        },
        status: {
          phase: 'Running',
          podIP: '10.1.2.3',
          podIPs: [{ip: '10.1.2.3'}],
          nominatedNodeName: 'node-b',
          conditions: [{type: 'example.com/b', status: 'True'}],
          containerStatuses: [
            {name: 'main', ready: true, restartCount: 3, image: 'nginx:1', imageID: '', state: {running: {}}},
            {name: 'side', ready: false, restartCount: 2, image: 'proxy:2', imageID: '', state: {waiting: {reason: 'CrashLoopBackOff'}}},
          ],
        },
      },
    ],
    columns: [
      nameColumn,
      column('Ready'),
      column('Status'),
      column('Restarts'),
      ageColumn,
      wide('IP'),
      wide('Node'),
      wide('Nominated Node'),
      wide('Readiness Gates'),
    ],
    rows: [
      ['new', '0/1', 'Pending', '0', 'AGE', '<none>', '<none>', '<none>', '<none>'],
      ['troubled', '1/2', 'CrashLoopBackOff', '5', 'AGE', '10.1.2.3', 'node-a', 'node-b', '1/2'],
    ],
  },
  {
    path: '/api/v1/namespaces/NS/replicationcontrollers',
    kind: 'ReplicationController',
    objects: [
      {
        object: {metadata: {name: 'old'}, spec: {replicas: 2, selector: {tier: 'a', app: 'web'}, template}},
        status: {replicas: 2, readyReplicas: 1},
      },
    ],
    columns: [
      nameColumn,
      column('Desired', 'integer'),
      column('Current', 'integer'),
      column('Ready', 'integer'),
      ageColumn,
      wide('Containers'),
      wide('Images'),
      wide('Selector'),
    ],
    rows: [['old', 2, 2, 1, 'AGE', 'main,side', 'nginx:1,proxy:2', 'app=web,tier=a']],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/replicasets',
    kind: 'ReplicaSet',
    objects: [{object: {metadata: {name: 'web-1'}, spec: {replicas: 3, selector, template}}, status: {replicas: 3, readyReplicas: 2}}],
    columns: [
      nameColumn,
      column('Desired', 'integer'),
      column('Current', 'integer'),
      column('Ready', 'integer'),
      ageColumn,
      wide('Containers'),
      wide('Images'),
      wide('Selector'),
    ],
    rows: [['web-1', 3, 3, 2, 'AGE', 'main,side', 'nginx:1,proxy:2', 'app=web,tier in (a,b)']],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/deployments',
    kind: 'Deployment',
    objects: [
      {
        object: {metadata: {name: 'web'}, spec: {replicas: 3, selector, template}},
        status: {replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1},
      },
    ],
    columns: [
      nameColumn,
      column('Ready'),
      column('Up-to-date'),
      column('Available'),
      ageColumn,
      wide('Containers'),
      wide('Images'),
      wide('Selector'),
    ],
    rows: [['web', '1/3', 2, 1, 'AGE', 'main,side', 'nginx:1,proxy:2', 'app=web,tier in (a,b)']],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/statefulsets',
    kind: 'StatefulSet',
    objects: [
      {
        object: {metadata: {name: 'db'}, spec: {replicas: 3, serviceName: 'db', selector, template}},
        status: {replicas: 3, readyReplicas: 2},
      },
    ],
    columns: [nameColumn, column('Ready'), ageColumn, wide('Containers'), wide('Images')],
    rows: [['db', '2/3', 'AGE', 'main,side', 'nginx:1,proxy:2']],
  },
  {
    path: '/apis/apps/v1/namespaces/NS/daemonsets',
    kind: 'DaemonSet',
    objects: [
      {
        object: {
          metadata: {name: 'agent'},
          spec: {selector, template: {...template, spec: {containers, nodeSelector: {zone: 'a', disk: 'ssd'}}}},
        },
        status: {
          desiredNumberScheduled: 5,
          currentNumberScheduled: 4,
          numberReady: 3,
          updatedNumberScheduled: 2,
          numberAvailable: 1,
          numberMisscheduled: 0,
        },
      },
    ],
    columns: [
      nameColumn,
      column('Desired', 'integer'),
      column('Current', 'integer'),
      column('Ready', 'integer'),
      column('Up-to-date', 'integer'),
      column('Available', 'integer'),
      column('Node Selector'),
      ageColumn,
      wide('Containers'),
      wide('Images'),
      wide('Selector'),
    ],
    rows: [['agent', 5, 4, 3, 2, 1, 'disk=ssd,zone=a', 'AGE', 'main,side', 'nginx:1,proxy:2', 'app=web,tier in (a,b)']],
  },
  {
    path: '/apis/batch/v1/namespaces/NS/jobs',
    kind: 'Job',
    objects: [
      {
        object: {metadata: {name: 'done'}, spec: {completions: 1, manualSelector: true, selector, template: once}},
        status: {
          ...times,
          succeeded: 1,
          conditions: [
            {type: 'SuccessCriteriaMet', status: 'True'},
            {type: 'Complete', status: 'True'},
          ],
        },
      },
      {
        object: {
          metadata: {name: 'queue'},
          spec: {parallelism: 2, manualSelector: true, selector: {matchLabels: {app: 'web'}}, template: once},
        },
      },
    ],
    columns: [nameColumn, column('Completions'), column('Duration'), ageColumn, wide('Containers'), wide('Images'), wide('Selector')],
    rows: [
      ['done', '1/1', '3m30s', 'AGE', 'main,side', 'nginx:1,proxy:2', 'app=web,tier in (a,b)'],
      ['queue', '0/1 of 2', '', 'AGE', 'main,side', 'nginx:1,proxy:2', 'app=web'],
    ],
  },
  {
    path: '/apis/batch/v1/namespaces/NS/cronjobs',
    kind: 'CronJob',
    objects: [
      {
        object: {metadata: {name: 'nightly'}, spec: {schedule: '0 4 * * *', suspend: true, jobTemplate: {spec: {template: once}}}},
        status: {
          active: [
            {kind: 'Job', name: 'a'},
            {kind: 'Job', name: 'b'},
          ],
        },
      },
    ],
    columns: [
      nameColumn,
      column('Schedule'),
      column('Suspend', 'boolean'),
      column('Active', 'integer'),
      column('Last Schedule'),
      ageColumn,
      wide('Containers'),
      wide('Images'),
      wide('Selector'),
    ],
    rows: [['nightly', '0 4 * * *', 'True', 2, '<none>', 'AGE', 'main,side', 'nginx:1,proxy:2', '<none>']],
  },
  {
    path: '/apis/autoscaling/v2/namespaces/NS/horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    objects: [
      {
        object: {
          metadata: {name: 'web'},
          spec: {
            scaleTargetRef: {kind: 'Deployment', name: 'web', apiVersion: 'apps/v1'},
            maxReplicas: 5,
            metrics: [
              {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 80}}},
              {type: 'Pods', pods: {metric: {name: 'rate'}, target: {type: 'AverageValue', averageValue: '10'}}},
              {type: 'Resource', resource: {name: 'memory', target: {type: 'AverageValue', averageValue: '1Gi'}}},
            ],
          },
        },
        status: {
          currentReplicas: 2,
          desiredReplicas: 3,
          currentMetrics: [{type: 'Resource', resource: {name: 'cpu', current: {averageUtilization: 50, averageValue: '100m'}}}],
        },
      },
    ],
    columns: [nameColumn, column('Reference'), column('Targets'), column('MinPods'), column('MaxPods'), column('Replicas'), ageColumn],
    rows: [['web', 'Deployment/web', '50%/80%, <unknown>/10 + 1 more...', '1', 5, 2, 'AGE']],
  },
];
