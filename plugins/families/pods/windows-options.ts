import {dnsSubdomainFaults, forbiddenField, invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateGivenText} from '../../../sdk/validation/index.js';
import type {PodSpec, WindowsSecurityContextOptions} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodRules} from './pod-rules.js';
import {allContainers} from './all-containers.js';

const maximumCredentialSpec = 64 * 1024;
const netBiosDomain = /^[^\\/:*?"<>|.]{1,15}$/;
const dnsDomain = /^([A-Za-z0-9][A-Za-z0-9-]{0,61}[A-Za-z0-9]|[A-Za-z0-9])(\.[A-Za-z0-9][A-Za-z0-9-]{0,61}[A-Za-z0-9]|\.[A-Za-z0-9])*$/;
const forbiddenUserCharacters = /["/\\:;|=,+*?<>@[\]]/;

/** Errors in the options of Windows containers. */
export function validateWindowsOptions(options: WindowsSecurityContextOptions | undefined | null, path: FieldPath): FieldError[] {
  if (!options) return [];
  const {gmsaCredentialSpecName, gmsaCredentialSpec: spec, runAsUserName: user} = options;
  const faults = validateGivenText(gmsaCredentialSpecName, path.child('gmsaCredentialSpecName'), dnsSubdomainFaults);
  if (typeof spec === 'string') {
    const at = path.child('gmsaCredentialSpec');
    if (spec === '') faults.push(invalid(at, spec, 'gmsaCredentialSpec cannot be an empty string'));
    else if (Buffer.byteLength(spec) > maximumCredentialSpec)
      faults.push(invalid(at, spec, 'gmsaCredentialSpec size must be under 64 KiB'));
  }
  if (typeof user === 'string') faults.push(...userFaults(user).map((detail) => invalid(path.child('runAsUserName'), user, detail)));
  return faults;
}

/** `USER` or `DOMAIN\USER`. */
function userFaults(text: string): string[] {
  if (text === '') return ['runAsUserName cannot be an empty string'];
  if (/[\0-\x1f\x7f]/.test(text)) return ['runAsUserName cannot contain control characters'];
  const parts = text.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1)!;
  const faults: string[] = [];
  if (parts.length === 2) {
    const domain = parts[0]!;
    if (domain.length > 255) faults.push("runAsUserName's Domain length must be under 256 characters");
    else if (!netBiosDomain.test(domain) && !dnsDomain.test(domain))
      faults.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') return [...faults, "runAsUserName's User cannot be empty"];
  if (user.length > 104) faults.push("runAsUserName's User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) faults.push("runAsUserName's User cannot contain only periods or spaces");
  if (forbiddenUserCharacters.test(user)) faults.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return faults;
}

/** HostProcess containers: either all containers of a pod are, or none; and they need the host's network. */
export function validateHostProcess(spec: PodSpec, path: FieldPath, rules: PodRules): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers = allContainers(spec, path);
  const faults: FieldError[] = [];
  let hostProcesses = 0;
  for (const {container, at} of containers) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (typeof ofPod === 'boolean' && typeof own === 'boolean' && own !== ofPod) {
      const field = at.child('securityContext', 'windowsOptions', 'hostProcess');
      faults.push(invalid(field, own, `pod hostProcess value must be identical if both are specified, was ${ofPod}`));
    }
    if (own ?? ofPod) hostProcesses += 1;
  }
  if (hostProcesses === 0) return faults;
  if (hostProcesses !== containers.length) {
    faults.push(invalid(path, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers'));
  }
  if (!spec.hostNetwork) {
    faults.push(
      invalid(path.child('hostNetwork'), spec.hostNetwork ?? false, 'hostNetwork must be true if pod contains any hostProcess containers'),
    );
  }
  if (rules.allowPrivileged === false) faults.push(forbiddenField(path, 'hostProcess containers are disallowed by cluster policy'));
  return faults;
}
