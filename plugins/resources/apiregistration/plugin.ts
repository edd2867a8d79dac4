import {
  dns1035LabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  notSupported,
  portNumberFaults,
  required,
  strategy,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {APIService as ApiService, APIServiceCondition, APIServiceSpec} from '../../../sdk/types/unchecked/apiregistration/v1.js';

const specPath = FieldPath.of('spec');
const conditionsPath = FieldPath.of('status', 'conditions');
const statuses = ['True', 'False', 'Unknown'];
const maximumGroupPriority = 20_000;
const maximumVersionPriority = 1000;

/** APIService: the server of a group version. Named `VERSION.GROUP`. */
@strategy()
export class ApiServiceStrategy implements ResourceStrategy<ApiService> {
  /** What this server serves itself is available from the start. */
  prepareForCreate(object: ApiService): void {
    object.status = object.spec?.service ? {} : {conditions: [localCondition()]};
  }

  /** What was found of one service says nothing of another: requests wait until that has been checked. */
  prepareForUpdate(object: ApiService, old: ApiService): void {
    const service = object.spec?.service;
    if (sameValue(service, old.spec?.service)) return;
    const others = (object.status?.conditions ?? []).filter(({type}) => type !== 'Available');
    object.status = {...object.status, conditions: [...others, service ? uncheckedCondition() : localCondition()]};
  }

  validateCreate({metadata, spec = {}, status}: ApiService): FieldError[] {
    return [...nameFaults(metadata.name ?? '', spec), ...specFaults(spec), ...statusFaults(status)];
  }

  validateUpdate(object: ApiService, _old: ApiService, context: StrategyContext): FieldError[] {
    return context.subresource === 'status' ? statusFaults(object.status) : this.validateCreate(object);
  }

  tableCells({spec, status}: ApiService): Record<string, string> {
    const service = spec?.service;
    return {
      Service: service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
      Available: availability(status),
    };
  }
}

function localCondition(): APIServiceCondition {
  return availableCondition('True', 'Local', 'Local APIServices are always available');
}

function uncheckedCondition(): APIServiceCondition {
  return availableCondition('Unknown', 'NotChecked', 'the service has not been checked yet');
}

function availableCondition(status: string, reason: string, message: string): APIServiceCondition {
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  return {type: 'Available', status, lastTransitionTime, reason, message};
}

function availability(status: ApiService['status']): string {
  const condition = status?.conditions?.find(({type}) => type === 'Available');
  if (!condition) return 'Unknown';
  const text = condition.status ?? '';
  return text !== 'True' && condition.reason ? `${text} (${condition.reason})` : text;
}

function nameFaults(name: string, {group = '', version = ''}: APIServiceSpec): FieldError[] {
  const wanted = `${version}.${group}`;
  if (name === '' || name === wanted) return [];
  return [invalid(FieldPath.of('metadata', 'name'), name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`)];
}

function specFaults(spec: APIServiceSpec): FieldError[] {
  const {group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0} = spec;
  const faults: FieldError[] = [];
  const groupPath = specPath.child('group');
  if (group === '' && version !== 'v1') faults.push(required(groupPath, 'only v1 may have an empty group and it better be legacy kube'));
  if (group !== '') faults.push(...dnsSubdomainFaults(group).map((detail) => invalid(groupPath, group, detail)));
  faults.push(...dns1035LabelFaults(version).map((detail) => invalid(specPath.child('version'), version, detail)));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > maximumGroupPriority) {
    faults.push(
      invalid(specPath.child('groupPriorityMinimum'), groupPriorityMinimum, `must be positive and less than ${maximumGroupPriority}`),
    );
  }
  if (versionPriority <= 0 || versionPriority > maximumVersionPriority) {
    faults.push(invalid(specPath.child('versionPriority'), versionPriority, `must be positive and less than ${maximumVersionPriority}`));
  }
  return [...faults, ...(spec.service ? serviceFaults(spec, spec.service) : localFaults(spec))];
}

function serviceFaults(
  {insecureSkipTLSVerify, caBundle}: APIServiceSpec,
  {namespace, name, port = 0}: NonNullable<APIServiceSpec['service']>,
): FieldError[] {
  const path = specPath.child('service');
  const faults: FieldError[] = [];
  if (!namespace) faults.push(required(path.child('namespace')));
  if (!name) faults.push(required(path.child('name')));
  faults.push(...portNumberFaults(port).map((detail) => invalid(path.child('port'), port, `port is not valid: ${detail}`)));
  if (insecureSkipTLSVerify && caBundle)
    faults.push(invalid(specPath.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present'));
  return faults;
}

function localFaults({insecureSkipTLSVerify, caBundle}: APIServiceSpec): FieldError[] {
  const faults: FieldError[] = [];
  if (caBundle)
    faults.push(
      invalid(specPath.child('caBundle'), `${Buffer.byteLength(caBundle, 'base64')} bytes`, 'local APIServices may not have a caBundle'),
    );
  if (insecureSkipTLSVerify)
    faults.push(invalid(specPath.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify'));
  return faults;
}

function statusFaults(status: ApiService['status']): FieldError[] {
  return (status?.conditions ?? []).flatMap(({status: text = ''}, index) =>
    statuses.includes(text) ? [] : [notSupported(conditionsPath.index(index).child('status'), text, statuses)],
  );
}
