import {duplicate, forbiddenField, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {relativePath, validateAccountId, validateOneOf, validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {PodSecurityContext, PodSpec, SeccompProfile, SecurityContext} from '../../../sdk/types/unchecked/core/v1.js';
import {validateAppArmorProfile} from './app-armor.js';
import {mayUse, type PodRules} from './pod-rules.js';
import {validateWindowsOptions} from './windows-options.js';

const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlPattern = `(${sysctlSegment}[\\./])*${sysctlSegment}`;
const sysctlName = new RegExp(`^${sysctlPattern}$`);

/** Errors in a container's security context. */
export function validateSecurityContext(
  context: SecurityContext | undefined | null,
  {hostUsers}: PodSpec,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (!context) return [];
  const {privileged, allowPrivilegeEscalation, capabilities, runAsUser, runAsGroup, procMount, seccompProfile, windowsOptions} = context;
  const faults: FieldError[] = [];
  if (privileged && rules.allowPrivileged === false) faults.push(forbiddenField(path.child('privileged'), 'disallowed by cluster policy'));
  faults.push(
    ...validateAccountId(runAsUser, path.child('runAsUser')),
    ...validateAccountId(runAsGroup, path.child('runAsGroup')),
    ...validateOptionalOneOf(procMount, ['Default', 'Unmasked'], path.child('procMount')),
    ...validateSeccompProfile(seccompProfile, path.child('seccompProfile')),
  );
  if (procMount === 'Unmasked' && hostUsers !== false && rules.gates.enabled('UserNamespacesSupport'))
    faults.push(invalid(path.child('procMount'), procMount, '`hostUsers` must be false to use `Unmasked`'));
  if (allowPrivilegeEscalation === false) {
    const why = 'cannot set `allowPrivilegeEscalation` to false and';
    if (privileged) faults.push(invalid(path, context, `${why} \`privileged\` to true`));
    if (capabilities?.add?.includes('CAP_SYS_ADMIN')) faults.push(invalid(path, context, `${why} \`capabilities.Add\` CAP_SYS_ADMIN`));
  }
  return [
    ...faults,
    ...validateWindowsOptions(windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
  ];
}

/** Errors in a pod's security context. */
export function validatePodSecurityContext(
  context: PodSecurityContext | undefined | null,
  spec: PodSpec,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (!context) return [];
  const faults = [
    ...validateAccountId(context.fsGroup, path.child('fsGroup')),
    ...validateAccountId(context.runAsUser, path.child('runAsUser')),
    ...validateAccountId(context.runAsGroup, path.child('runAsGroup')),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateAccountId(group, path.child('supplementalGroups').index(index)),
    ),
  ];
  if (spec.shareProcessNamespace && spec.hostPID) {
    faults.push(invalid(path.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled'));
  }
  return [
    ...faults,
    ...validateSysctls(context.sysctls ?? [], path.child('sysctls')),
    ...validateOptionalOneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], path.child('fsGroupChangePolicy')),
    ...validateSeccompProfile(context.seccompProfile, path.child('seccompProfile')),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
    ...validateOptionalOneOf(context.supplementalGroupsPolicy, ['Merge', 'Strict'], path.child('supplementalGroupsPolicy')),
    ...validateOptionalOneOf(context.seLinuxChangePolicy, seLinuxChangePolicies(rules), path.child('seLinuxChangePolicy')),
  ];
}

/** While volumes of several kinds are labeled by files alone, only that can be asked for. */
function seLinuxChangePolicies(rules: PodRules): readonly string[] {
  const isUsed = (spec: PodSpec) => Boolean(spec.securityContext?.seLinuxChangePolicy);
  return mayUse(rules, 'SELinuxMount', isUsed) ? ['MountOption', 'Recursive'] : ['Recursive'];
}

function validateSeccompProfile(profile: SeccompProfile | undefined | null, path: FieldPath): FieldError[] {
  if (!profile) return [];
  const {type, localhostProfile} = profile;
  const at = path.child('localhostProfile');
  const faults = validateOneOf(
    type,
    ['Localhost', 'RuntimeDefault', 'Unconfined'],
    path.child('type'),
    'type is required when seccompProfile is set',
  );
  const given = typeof localhostProfile === 'string';
  if (type !== 'Localhost')
    return given ? [...faults, invalid(at, localhostProfile, 'can only be set when seccomp type is Localhost')] : faults;
  return [...faults, ...(given ? relativePath(at, localhostProfile) : [required(at, 'must be set when seccomp type is Localhost')])];
}

function validateSysctls(sysctls: readonly {name?: string}[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return sysctls.flatMap(({name = ''}, index) => {
    const at = path.index(index).child('name');
    if (name === '') return [required(at)];
    const faults = isSysctl(name) ? [] : [invalid(at, name, `must have at most 253 characters and match regex ^${sysctlPattern}$`)];
    if (seen.has(name)) faults.push(duplicate(at, name));
    seen.add(name);
    return faults;
  });
}

function isSysctl(name: string): boolean {
  return name.length <= 253 && sysctlName.test(name);
}
