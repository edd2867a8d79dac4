import {badRequest} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

/** The container that an operation on a pod addresses. It need not be named if there is only one or if an annotation marks a default. */
export function containerOf({metadata, spec = {}}: Pod, wanted: string, defaultAnnotation = ''): string {
  const name = metadata.name ?? '';
  const main = (spec.containers ?? []).map((container) => container.name ?? '');
  const init = (spec.initContainers ?? []).map((container) => container.name ?? '');
  const all = [...main, ...init, ...(spec.ephemeralContainers ?? []).map((container) => container.name ?? '')];
  const chosen = wanted || metadata.annotations?.[defaultAnnotation] || (main.length === 1 ? main[0]! : '');
  if (chosen === '') {
    const others = init.length > 0 ? ` or one of the init containers: [${init.join(' ')}]` : '';
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]${others}`);
  }
  if (!all.includes(chosen)) throw badRequest(`container ${chosen} is not valid for pod ${name}`);
  return chosen;
}

/** The node of a pod. @throws StatusError 400 if it has none yet */
export function hostOf({metadata, spec}: Pod): string {
  if (!spec?.nodeName) throw badRequest(`pod ${metadata.name ?? ''} does not have a host assigned`);
  return spec.nodeName;
}
