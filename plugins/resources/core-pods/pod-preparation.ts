import {FieldPath, type StrategyContext} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Container, Pod, PodAffinity, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from '../../families/pods/all-containers.js';
import {appArmorAnnotationOf, appArmorProfileOf, validateAppArmorProfile} from '../../families/pods/app-armor.js';
import {mergeLabelKeys} from '../../families/pods/label-keys.js';
import type {PodRules} from '../../families/pods/pod-rules.js';

const annotationsPath = FieldPath.of('metadata', 'annotations');

/** What a new pod's spec gets from its labels and annotations. Modifies `pod`. */
export function prepareSpec(pod: Pod, {gates, naming}: PodRules, context: StrategyContext): void {
  const {metadata, spec} = pod;
  if (!spec) return;
  const labels = metadata.labels ?? {};
  if (gates.enabled('MatchLabelKeysInPodAffinity')) for (const term of affinityTerms(spec)) mergeLabelKeys(term, labels);
  if (gates.enabled('MatchLabelKeysInPodTopologySpread') && gates.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge'))
    for (const constraint of spec.topologySpreadConstraints ?? []) mergeLabelKeys(constraint, labels);
  if (gates.enabled('AppArmorFields') && spec.os?.name !== 'windows') {
    const prefix = naming.key('container.apparmor.security.beta.orch/');
    for (const {container} of allContainers(spec, FieldPath.root)) {
      const key = prefix + (container.name ?? '');
      const annotation = metadata.annotations?.[key];
      if (annotation === undefined && gates.enabled('AppArmorAnnotations')) annotate(pod, key, container);
      if (annotation !== undefined && !container.securityContext?.appArmorProfile && isOutdated(annotation, container, spec))
        context.warn(`${annotationsPath.key(key).toString()}: deprecated since v1.30; use the "appArmorProfile" field instead`);
    }
  }
}

/** Writes the profile of a container to its annotation, for nodes that know no other place. Modifies `pod`. */
function annotate({metadata, spec}: Pod, key: string, {securityContext}: Container): void {
  const profile = securityContext?.appArmorProfile ?? spec?.securityContext?.appArmorProfile;
  const annotation = profile ? appArmorAnnotationOf(profile) : undefined;
  if (annotation !== undefined) metadata.annotations = {...metadata.annotations, [key]: annotation};
}

/** Sets a container's AppArmor profile from the annotation of older clients; false if the pod has the same one anyway. Modifies `container`. */
function isOutdated(annotation: string, container: Container, {securityContext}: PodSpec): boolean {
  const profile = appArmorProfileOf(annotation);
  if (!profile || validateAppArmorProfile(profile, FieldPath.root).length > 0) return true;
  if (sameValue(profile, securityContext?.appArmorProfile)) return false;
  container.securityContext = {...container.securityContext, appArmorProfile: profile};
  return true;
}

function affinityTerms({affinity}: PodSpec) {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((part: PodAffinity | null | undefined) => [
    ...(part?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({podAffinityTerm}) => podAffinityTerm ?? []),
    ...(part?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ]);
}
