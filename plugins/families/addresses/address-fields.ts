import type {FeatureGates, FieldError, FieldPath} from '../../../sdk/index.js';
import {validateCidr, validateIp} from '../../../sdk/net/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import {safeCidrFaults, safeIpFaults} from './strict-addresses.js';

/** The gate with which addresses that programs read in different ways are refused in the fields that once took them. */
const strictGate = 'StrictIPCIDRValidation';

/** Errors in an address, in a field that is older than the strict form. @param stored addresses that the object had before: they may stay as they are */
export function ipFieldFaults(text: string, path: FieldPath, gates: FeatureGates, stored: readonly string[] = []): FieldError[] {
  if (!gates.enabled(strictGate)) return validateIp(text, path);
  return stored.includes(text) ? [] : invalidFor(path, text, safeIpFaults(text));
}

/** Errors in a block of addresses, in a field that is older than the strict form. @param stored blocks that the object had before: they may stay as they are */
export function cidrFieldFaults(text: string, path: FieldPath, gates: FeatureGates, stored: readonly string[] = []): FieldError[] {
  if (!gates.enabled(strictGate)) return validateCidr(text, path);
  return stored.includes(text) ? [] : invalidFor(path, text, safeCidrFaults(text));
}
