import {admission, type AdmissionController} from '../../../sdk/index.js';

/** Lets every request pass. Kept because existing configurations name it; it changes nothing. */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 80, sideEffects: 'none'})
export class AlwaysAdmit implements AdmissionController {
  validate(): void {}
}
