import {
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  notSupported,
  required,
  strategy,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {FlowSchema, FlowSchemaSpec} from '../../../sdk/types/unchecked/flowcontrol.apiserver/v1beta3.js';
import {conditionFaults} from './condition-rules.js';
import {exemptName, mandatoryFlowSchemas} from '../../families/flow-control/mandatory-objects.js';
import {rulesWithSubjectsFaults} from './policy-rules.js';

const specPath = FieldPath.of('spec');
const distinguisherMethods = ['ByUser', 'ByNamespace'];
const maximumPrecedence = 10_000;

/** FlowSchema: which requests belong to which priority level. Its versions differ in name only. */
@strategy()
export class FlowSchemaStrategy implements ResourceStrategy<FlowSchema> {
  validateCreate({metadata, spec = {}, status}: FlowSchema): FieldError[] {
    const faults = specFaults(metadata.name ?? '', spec);
    const fixed = mandatoryFlowSchemas.get(metadata.name ?? '');
    if (fixed && !sameValue(spec, fixed)) faults.push(invalid(specPath, spec, `spec of '${metadata.name}' must equal the fixed value`));
    return [...faults, ...conditionFaults(status)];
  }

  validateUpdate(object: FlowSchema, _old: FlowSchema, context: StrategyContext): FieldError[] {
    return context.subresource === 'status' ? conditionFaults(object.status) : this.validateCreate(object);
  }

  tableCells({spec, status}: FlowSchema): Record<string, string | number> {
    return {
      MatchingPrecedence: spec?.matchingPrecedence ?? 0,
      DistinguisherMethod: spec?.distinguisherMethod?.type ?? '<none>',
      MissingPL: status?.conditions?.find(({type}) => type === 'Dangling')?.status ?? '?',
    };
  }
}

function specFaults(
  name: string,
  {matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration, rules}: FlowSchemaSpec,
): FieldError[] {
  const precedencePath = specPath.child('matchingPrecedence');
  const levelPath = specPath.child('priorityLevelConfiguration', 'name');
  const level = priorityLevelConfiguration?.name ?? '';
  const faults: FieldError[] = [];
  if (matchingPrecedence <= 0) faults.push(invalid(precedencePath, matchingPrecedence, 'must be a positive value'));
  if (matchingPrecedence > maximumPrecedence)
    faults.push(invalid(precedencePath, matchingPrecedence, `must not be greater than ${maximumPrecedence}`));
  if (matchingPrecedence === 1 && name !== exemptName)
    faults.push(invalid(precedencePath, 1, "only the schema named 'exempt' may have matchingPrecedence 1"));
  if (distinguisherMethod && !distinguisherMethods.includes(distinguisherMethod.type ?? '')) {
    faults.push(notSupported(specPath.child('distinguisherMethod', 'type'), distinguisherMethod.type ?? '', distinguisherMethods));
  }
  if (level === '') faults.push(required(levelPath, 'must reference a priority level'));
  else faults.push(...dnsSubdomainFaults(level).map((detail) => invalid(levelPath, level, detail)));
  return [...faults, ...(rules ?? []).flatMap((rule, index) => rulesWithSubjectsFaults(rule, specPath.child('rules').index(index)))];
}
