import type {AdmissionRequest} from '../contracts/admission.js';
import {forbidden} from './builders.js';
import type {StatusError} from './status-error.js';

/**
 * The usual rejection by an admission controller: 403, `RESOURCE "NAME" is forbidden: DETAIL`. Until a name is generated, the message has
 * its prefix instead.
 */
export function admissionForbidden(request: AdmissionRequest, detail: string): StatusError {
  const {resource, object} = request;
  const name = request.name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
  return forbidden({...resource, name}, detail);
}
