import {causesBut, codeBut, objectBut, type Known} from './known.js';

/** What stays different of single types. Where releases differ and no feature gate tells them apart, one rule is for all. */
export const knownOfTypes: readonly Known[] = [
  {
    reason: 'A field is named by its path in the object, where Kubernetes writes another one: the list is in go-paths.ts.',
    is: causesBut({about: /^/}),
  },
  {
    reason: 'A message names the group of the type; 1.26 names "extensions", from which these types came.',
    is: ({kind, request, real, own}) =>
      kind === 'message' &&
      /^apps\/v1 (?:DaemonSet|Deployment|ReplicaSet) /.test(request.about) &&
      real.message === own.message?.replace('.apps "', '.extensions "'),
  },
  {
    reason: 'Data of a ControllerRevision that is not an object is refused in all releases, as 1.33 does.',
    is: codeBut({about: /^apps\/v1 ControllerRevision data$/, own: /^data empty$/}),
  },
  {
    reason: 'Members of the status of a claim whose gate is off are dropped in templates of claims too.',
    is: objectBut({
      about: /^apps\/v1 StatefulSet spec\.volumeClaimTemplates\.0\.status\.(?:currentVolumeAttributesClassName|modifyVolumeStatus)/,
      real: /^\.spec\.volumeClaimTemplates\.0\.status\.(?:currentVolumeAttributesClassName|modifyVolumeStatus\.\w+)=/,
    }),
  },
  {
    reason: 'A negative amount for pods is refused as missing too, as before 1.36.',
    is: causesBut({
      about: /^autoscaling\/v2 HorizontalPodAutoscaler spec\.metrics\.0\.pods\.target\.averageValue$/,
      own: /^spec\.metrics\[0\]\.pods\.target\.averageValue empty$/,
    }),
  },
  {
    reason:
      'What v1 keeps in annotations is shown when an object is read, and not yet in the answer to the write that v1 itself could express.',
    is: objectBut({
      about: /^autoscaling\/v1 HorizontalPodAutoscaler status\.currentCPUUtilizationPercentage$/,
      real: /^\.metadata\.annotations\.autoscaling\.alpha\.kubernetes\.io\/current-metrics=/,
    }),
  },
  {
    reason:
      'Metrics of a status have the amounts that were sent; 1.26 writes 0 where the form of v1 demands one, and drops what v1 cannot say.',
    is: objectBut({
      about: /^autoscaling\/v2 HorizontalPodAutoscaler status\.currentMetrics\.0\./,
      real: /^\.status\.currentMetrics\.0\.\w+\.current\.(?:averageValue|value)="0"$/,
      own: /^\.status\.currentMetrics\.0\.\w+\.current(?:=\{\}|\.value=)/,
    }),
  },
  {
    reason: 'The status of a condition has its default in CronJobs as in Jobs; before 1.36 it has none there.',
    is: causesBut({
      about: /^batch\/v1 CronJob spec\.jobTemplate\.spec\.podFailurePolicy\.rules\.0\.onPodConditions\.0/,
      real: /\.onPodConditions\[0\]\.status empty$/,
    }),
  },
  {
    reason: 'Members of Jobs whose gate is off are dropped; 1.30 checks them all the same in CronJobs, and where a Job is changed.',
    is: codeBut({
      about: /^batch\/v1 (?:CronJob spec\.jobTemplate\.spec\.(?:managedBy|successPolicy)|Job spec\.managedBy)/,
      real: /^spec\.(?:jobTemplate\.spec\.)?(?:managedBy|successPolicy)\b/,
    }),
  },
  {
    reason: 'An empty list in place of none changes nothing; 1.26 counts it as a change.',
    is: objectBut({
      about: /^networking\.k8s\.io\/v1 NetworkPolicy spec\.podSelector\.matchExpressions$/,
      real: /^\.metadata\.generation=2$/,
      own: /^\.metadata\.generation=1$/,
    }),
  },
  {
    reason: 'A member that is dropped, as its gate is off, changes nothing; 1.26 counts it as a change.',
    is: objectBut({
      about: /^policy\/v1 PodDisruptionBudget spec\.unhealthyPodEvictionPolicy$/,
      real: /^\.metadata\.generation=2$/,
      own: /^\.metadata\.generation=1$/,
    }),
  },
  {
    reason: 'Members whose gate is off are dropped from a status too; 1.30 keeps them.',
    is: objectBut({
      about: /^v1 (?:Node status\.runtimeHandlers|Pod status\.(?:resize$|\w+ontainerStatuses\.0\.(?:volumeMounts|resources)))/,
      real: /^\.status\.(?:runtimeHandlers\.0\.name|resize|\w+ontainerStatuses\.0\.(?:volumeMounts\.0\.\w+|resources\.(?:limits|requests)\.key))=/,
    }),
  },
  {
    reason: 'Claims of a pod are dropped from its status while their gate is off; 1.30 checks them all the same.',
    is: codeBut({about: /^v1 Pod status\.resourceClaimStatuses\./, real: /^status\.resourceClaimStatuses\[0\]\./}),
  },
  {
    reason: 'The class of attributes of a volume is dropped while its gate is off; 1.30 keeps it in new volumes and refuses it in changes.',
    is: (difference) =>
      codeBut({about: /^v1 PersistentVolume spec\.volumeAttributesClassName$/, real: /^spec\.(?:csi|volumeAttributesClassName) /})(
        difference,
      ) ||
      objectBut({about: /^v1 PersistentVolume spec\.volumeAttributesClassName$/, real: /^\.spec\.volumeAttributesClassName=/})(difference),
  },
  {
    reason: 'An empty list or map is as if it were not given; in Kubernetes it counts where nothing may be given.',
    is: causesBut({
      about:
        /^v1 Pod(?:Template template\.| )spec\.(?:ephemeralContainers\.0\.(?:ports|restartPolicyRules|resources\.(?:claims|limits))|resources\.claims|volumes\.0\.ephemeral\.volumeClaimTemplate\.metadata\.(?:finalizers|managedFields))$/,
      real: /^(?:template\.)?spec\.(?:ephemeralContainers\[0\]\.(?:ports|restartPolicyRules|resources)|resources\.claims|volumes\[0\]\.ephemeral\.volumeClaimTemplate\.metadata\.(?:finalizers|managedFields)) FieldValueForbidden$/,
    }),
  },
  {
    reason: 'The selector of a spread constraint is checked in all releases; 1.26 does not.',
    is: causesBut({about: /^v1 Pod spec\.topologySpreadConstraints\.0\.labelSelector\./, own: /\.labelSelector\.match\w+(?:\[0\]\.\w+)? /}),
  },
  {
    reason: 'The group of a source of data is checked in all releases; 1.26 does not.',
    is: causesBut({
      about: /^v1 (?:Pod|PersistentVolumeClaim) spec\.(?:.*\.)?dataSource(?:Ref)?\.apiGroup$/,
      own: /\.dataSource(?:Ref)?\.apiGroup FieldValueInvalid$/,
    }),
  },
  {
    reason: 'Each range of addresses is refused by itself, as in 1.30; 1.26 refuses the list.',
    is: causesBut({
      about: /^v1 Service spec\.loadBalancerSourceRanges/,
      real: /^spec\.loadBalancerSourceRanges FieldValueInvalid$/,
      own: /^spec\.loadBalancerSourceRanges\[0\] (?:FieldValueInvalid|empty)$/,
    }),
  },
  {
    reason: 'An address of a load balancer that a future release would refuse is taken without saying so.',
    is: ({kind, request, real, own}) =>
      kind === 'warnings' &&
      request.about === 'v1 Service spec.loadBalancerIP' &&
      own.warnings === undefined &&
      (real.warnings ?? []).every((text) => text.startsWith('spec.loadBalancerIP: IP address was accepted, but will be invalid')),
  },
];
