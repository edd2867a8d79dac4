import {admission, admissionForbidden, type AdmissionController, type AdmissionRequest} from '../../../sdk/index.js';

/**
 * Rejects every write of a client. It runs last, so that a client sees other rejections first. Writes of the server's own plugins are
 * admitted, because the server could not start without them.
 */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 1000, sideEffects: 'none'})
export class AlwaysDeny implements AdmissionController {
  validate(request: AdmissionRequest): void {
    if (request.user.groups?.includes('system:plugins')) return;
    throw admissionForbidden(request, 'admission control is denying all modifications');
  }
}
