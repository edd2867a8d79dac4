import type {NamingProfile} from '../../sdk/index.js';
import {errorDetail} from '../kernel/error-detail.js';
import {KernelError} from '../kernel/kernel-error.js';
import {AuditPolicy} from '../registry/audit/audit-policy.js';
import {readConfigurationFile, type ConfigurationFile} from '../configuration/read-configuration-file.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {parseAuditPolicy} from './parse-audit-policy.js';

/**
 * Reads an audit policy, YAML or JSON.
 *
 * @param path absolute
 * @throws KernelError with all problems
 */
export function readAuditPolicy(path: string, naming: NamingProfile): AuditPolicy {
  const {value, duplicates} = read(path);
  const {rules, faults} = parseAuditPolicy(value, naming);
  KernelError.throwIfAny(
    [...duplicates.map((place) => ({path: place, text: 'is given twice'})), ...faults].map(({path: place, text}) =>
      serverProblem('AUDIT_POLICY_INVALID', {detail: place === '' ? `it ${text}` : `${place} ${text}`}, {path: place, file: path}),
    ),
  );
  return new AuditPolicy(rules);
}

function read(path: string): ConfigurationFile {
  try {
    return readConfigurationFile(path);
  } catch (cause) {
    throw new KernelError([serverProblem('AUDIT_POLICY_UNREADABLE', {detail: errorDetail(cause)}, {file: path, cause})]);
  }
}
