import {age, FieldPath, invalid, required, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import {pathSegmentFaults} from '../../shared/fields/path-segment.js';
import type {ValidatingAdmissionPolicyBinding} from './admission-types.js';
import {matchResourcesFaults} from './match-resources-faults.js';

const specPath = FieldPath.of('spec');

/** ValidatingAdmissionPolicyBinding: puts a policy into effect, with parameters and for a part of what the policy is for. */
@strategy()
export class ValidatingAdmissionPolicyBindingStrategy implements ResourceStrategy<ValidatingAdmissionPolicyBinding> {
  validateCreate({spec = {}}: ValidatingAdmissionPolicyBinding): FieldError[] {
    const {policyName = '', paramRef, matchResources} = spec;
    const faults = nameFaults(policyName, specPath.child('policyName'));
    if (paramRef) faults.push(...nameFaults(paramRef.name ?? '', specPath.child('paramRef', 'name')));
    if (matchResources) faults.push(...matchResourcesFaults(matchResources, specPath.child('matchResources')));
    return faults;
  }

  validateUpdate(object: ValidatingAdmissionPolicyBinding): FieldError[] {
    return this.validateCreate(object);
  }

  tableCells({spec, metadata}: ValidatingAdmissionPolicyBinding, now: Date): Record<string, string> {
    const param = spec?.paramRef;
    const paramText = param?.namespace ? `${param.namespace}/${param.name ?? ''}` : (param?.name ?? '');
    return {ParamRef: param ? paramText : '<unset>', Age: age(metadata.creationTimestamp, now)};
  }
}

function nameFaults(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return pathSegmentFaults(name).map((detail) => invalid(path, name, detail));
}
