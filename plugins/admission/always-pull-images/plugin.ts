import {
  admission,
  admissionForbidden,
  FieldPath,
  fieldErrorText,
  notSupported,
  type AdmissionController,
  type AdmissionRequest,
} from '../../../sdk/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from '../../families/pods/all-containers.js';

/**
 * Sets `imagePullPolicy: Always` on every container, so that a private image that is already on a node can be used only with the
 * credentials to pull it. Updates without a new image are not changed.
 */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['pods'], order: 170, sideEffects: 'none'})
export class AlwaysPullImages implements AdmissionController {
  admit(request: AdmissionRequest): void {
    if (bringsNoImage(request)) return;
    for (const {container} of containersOf(request.object)) container.imagePullPolicy = 'Always';
  }

  /** A later controller may have changed the policy back. */
  validate(request: AdmissionRequest): void {
    if (bringsNoImage(request)) return;
    for (const {container, at} of containersOf(request.object)) {
      if (container.imagePullPolicy === 'Always') continue;
      throw admissionForbidden(
        request,
        fieldErrorText(notSupported(at.child('imagePullPolicy'), container.imagePullPolicy ?? '', ['Always'])),
      );
    }
  }
}

function bringsNoImage({operation, object, oldObject}: AdmissionRequest): boolean {
  if (operation !== 'UPDATE') return false;
  const known = new Set(containersOf(oldObject).map(({container}) => container.image));
  return containersOf(object).every(({container}) => known.has(container.image));
}

function containersOf(pod: unknown) {
  return allContainers((pod as {spec?: PodSpec}).spec ?? {}, FieldPath.of('spec'));
}
