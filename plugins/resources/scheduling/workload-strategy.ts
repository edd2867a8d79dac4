import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  duplicate,
  FieldPath,
  invalid,
  required,
  strategy,
  tooMany,
  type ApiObject,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {
  invalidFor,
  pathSegmentFaults,
  sameValue,
  validateImmutable,
  validateOptionalText,
  validateText,
} from '../../../sdk/validation/index.js';
import type {PodGroup as AlphaGroup, Workload as AlphaWorkload} from '../../../sdk/types/unchecked/scheduling/v1alpha1.js';
import type {PodGroupTemplate, TypedLocalObjectReference, Workload} from '../../../sdk/types/unchecked/scheduling/v1alpha2.js';
import {groupFaults, immutableFaults, repeatedNames, shortNameFaults} from './pod-group-faults.js';

const controllerPath = FieldPath.of('spec', 'controllerRef');
const templatesPath = FieldPath.of('spec', 'podGroupTemplates');
const groupsPath = FieldPath.of('spec', 'podGroups');
const maximumGroups = 8;
const oneOfBoth = 'exactly one of `basic`, `gang` is required';

/** Workload: templates for the groups of pods that belong together, and what made them. It cannot be changed. v1alpha1 has the groups themselves. */
@strategy()
export class WorkloadStrategy implements ResourceStrategy<Workload> {
  convert({spec, ...rest}: Workload, {version}: {readonly version: string}): ApiObject {
    const {podGroupTemplates, podGroups, ...others} = (spec ?? {}) as NonNullable<Workload['spec']> & NonNullable<AlphaWorkload['spec']>;
    const templates: PodGroupTemplate[] =
      podGroupTemplates ??
      (podGroups ?? []).map(({policy, ...group}: AlphaGroup) => ({...group, schedulingPolicy: policy}) as PodGroupTemplate);
    const converted =
      version === 'v1alpha1'
        ? {podGroups: templates.map(({name, schedulingPolicy: policy}) => ({name, policy}))}
        : {podGroupTemplates: templates};
    return {...rest, spec: {...others, ...converted}} as ApiObject;
  }

  validateCreate(object: Workload, {version}: StrategyContext): FieldError[] {
    const {controllerRef} = object.spec ?? {};
    return [
      ...(controllerRef ? controllerFaults(controllerRef) : []),
      ...(version === 'v1alpha1' ? alphaFaults(object as AlphaWorkload) : templateFaults(object.spec?.podGroupTemplates ?? [])),
    ];
  }

  validateUpdate(object: Workload, old: Workload, context: StrategyContext): FieldError[] {
    const [now, before] = [object.spec ?? {}, old.spec ?? {}];
    if (context.version !== 'v1alpha1') return immutableFaults(now, before, ['controllerRef', 'podGroupTemplates'], FieldPath.of('spec'));
    const [groups, groupsBefore] = [(object as AlphaWorkload).spec?.podGroups, (old as AlphaWorkload).spec?.podGroups];
    return [
      ...this.validateCreate(object, context),
      // The paths are Kubernetes'.
      ...(before.controllerRef ? validateImmutable(now.controllerRef, before.controllerRef, FieldPath.of('controllerRef')) : []),
      ...(sameValue(groups, groupsBefore) ? [] : validateImmutable(groups, groupsBefore, FieldPath.of('podGroups'))),
    ];
  }
}

function controllerFaults({apiGroup, kind, name}: TypedLocalObjectReference): FieldError[] {
  return [
    ...validateOptionalText(apiGroup, controllerPath.child('apiGroup'), dnsSubdomainFaults),
    ...validateText(kind, controllerPath.child('kind'), pathSegmentFaults),
    ...validateText(name, controllerPath.child('name'), pathSegmentFaults),
  ];
}

function templateFaults(templates: readonly PodGroupTemplate[]): FieldError[] {
  if (templates.length === 0) return [required(templatesPath)];
  if (templates.length > maximumGroups) return [tooMany(templatesPath, templates.length, maximumGroups)];
  return [
    ...repeatedNames(templates, templatesPath),
    ...templates.flatMap(({name, ...group}, index) => {
      const at = templatesPath.index(index);
      return [...shortNameFaults(name, at.child('name')), ...groupFaults(group, at)];
    }),
  ];
}

function alphaFaults({spec}: AlphaWorkload): FieldError[] {
  const groups = spec?.podGroups ?? [];
  if (groups.length === 0) return [required(groupsPath, 'must have at least one item')];
  if (groups.length > maximumGroups) return [tooMany(groupsPath, groups.length, maximumGroups)];
  const seen = new Set<string>();
  return groups.flatMap(({name = '', policy}, index) => {
    const at = groupsPath.index(index);
    const faults = invalidFor(at.child('name'), name, dnsLabelFaults(name));
    if (seen.has(name)) faults.push(duplicate(at.child('name'), name));
    seen.add(name);
    return [...faults, ...alphaPolicyFaults(policy ?? {}, at.child('policy'))];
  });
}

function alphaPolicyFaults({basic, gang}: NonNullable<AlphaGroup['policy']>, path: FieldPath): FieldError[] {
  if (!basic && !gang) return [required(path, oneOfBoth)];
  if (basic && gang) return [invalid(path, '{`basic`, `gang`}', `${oneOfBoth}, but multiple fields are set`)];
  if (!gang || (gang.minCount ?? 0) > 0) return [];
  return [invalid(path.child('gang', 'minCount'), gang.minCount ?? 0, 'must be greater than zero')];
}
