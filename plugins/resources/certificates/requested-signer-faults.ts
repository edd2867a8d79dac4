import {FieldPath, invalid, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import {signerNameFaults} from '../../families/certificates/signer-names.js';

const signerPath = FieldPath.of('spec', 'signerName');

/** Errors in the signer name of a request for a certificate. */
export function requestedSignerFaults(name: string, naming: NamingProfile): FieldError[] {
  return name === naming.key('orch/legacy-unknown')
    ? [invalid(signerPath, name, 'the legacy signerName is not allowed via this API version')]
    : signerNameFaults(name, signerPath, naming);
}
