import {admission, admissionForbidden, type AdmissionController, type AdmissionRequest} from '../../../sdk/index.js';
import type {Service} from '../../../sdk/types/core/v1.js';

/** Rejects new external IPs of services: with them, anyone who may write services could intercept traffic of others. */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['services'], order: 350, sideEffects: 'none'})
export class DenyServiceExternalIPs implements AdmissionController {
  validate(request: AdmissionRequest): void {
    const known = new Set(addresses(request.oldObject));
    if (addresses(request.object).every((address) => known.has(address))) return;
    throw admissionForbidden(request, 'Use of external IPs is denied by admission control');
  }
}

function addresses(service: unknown): readonly string[] {
  return (service as Service | undefined)?.spec?.externalIPs ?? [];
}
