import type {FieldPath} from '../../../sdk/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** Warnings about settings in a pod's spec that are allowed but probably mistakes, in Kubernetes' words. */
export function podWarnings(spec: PodSpec | undefined | null, path: FieldPath): string[] {
  return (spec?.imagePullSecrets ?? []).flatMap(({name}, index) =>
    name ? [] : [`${path.child('imagePullSecrets').index(index).child('name').toString()}: invalid empty name ""`],
  );
}
