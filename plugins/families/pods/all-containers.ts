import type {FieldPath} from '../../../sdk/index.js';
import type {Container, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** Every container of a pod with its place: init containers, containers, then ephemeral containers. */
export function allContainers(spec: PodSpec, path: FieldPath): {container: Container; at: FieldPath}[] {
  const members = ['initContainers', 'containers', 'ephemeralContainers'] as const;
  return members.flatMap((member) =>
    (spec[member] ?? []).map((container: Container, index) => ({container, at: path.child(member).index(index)})),
  );
}
