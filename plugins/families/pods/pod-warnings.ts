import type {FieldPath} from '../../../sdk/index.js';
import type {PodSpec} from './types.js';

/** What is allowed in a pod's spec and cannot be meant: texts for `Warning` headers, as Kubernetes words them. */
export function podWarnings(spec: PodSpec | undefined | null, path: FieldPath): string[] {
  return (spec?.imagePullSecrets ?? []).flatMap(({name}, index) =>
    name ? [] : [`${path.child('imagePullSecrets').index(index).child('name').toString()}: invalid empty name ""`],
  );
}
