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
  'horizontalpodautoscaling',
];

/** Autoscalers are looked at so often, and forget so soon, that scenarios do not take minutes; of both. */
export const autoscalerMillis = {sync: 1000, downscaleStabilization: 4000, cpuInitialization: 1000, initialReadinessDelay: 1000};

/** What of the server's own configuration scenarios need. */
export const ownConfiguration = {
  plugins: {
    aggregator: {config: {proxyToLoopback: true}},
    'horizontal-pod-autoscaler': {
      config: {
        syncMilliseconds: autoscalerMillis.sync,
        downscaleStabilizationMilliseconds: autoscalerMillis.downscaleStabilization,
        cpuInitializationMilliseconds: autoscalerMillis.cpuInitialization,
        initialReadinessDelayMilliseconds: autoscalerMillis.initialReadinessDelay,
      },
    },
  },
};
