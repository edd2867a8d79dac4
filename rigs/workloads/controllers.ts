/** The controllers that scenarios are about, beside those of the API server: nothing else happens. */
export const ownControllers = [
  'apiserver',
  'serviceaccount',
  'deployment',
  'replicaset',
  'replicationcontroller',
  'statefulset',
  'daemonset',
  'job',
  'cronjob',
  'disruption',
];
