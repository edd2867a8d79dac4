import {
  FieldPath,
  invalid,
  strategy,
  type ApiObject,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import {conditionFaults} from './condition-rules.js';
import type {PriorityLevelConfiguration, PriorityLevelSpec} from '../../families/flow-control/flow-types.js';
import {mandatoryPriorityLevels} from '../../families/flow-control/mandatory-objects.js';
import {priorityLevelFaults} from './priority-level-rules.js';
import {sharesOf, withSharesOf} from '../../families/flow-control/shares-field.js';

const none = '<none>';

/** PriorityLevelConfiguration: the share of the server's capacity that requests of a level get. */
@strategy()
export class PriorityLevelConfigurationStrategy implements ResourceStrategy<PriorityLevelConfiguration> {
  convert(object: PriorityLevelConfiguration, to: {readonly group: string; readonly version: string}): ApiObject {
    return withSharesOf(object, to);
  }

  validateCreate(object: PriorityLevelConfiguration, context: StrategyContext): FieldError[] {
    const {metadata, spec = {}, status} = object;
    const name = metadata.name ?? '';
    return [...priorityLevelFaults(name, spec, context.version), ...fixedFaults(name, object), ...conditionFaults(status)];
  }

  validateUpdate(object: PriorityLevelConfiguration, _old: PriorityLevelConfiguration, context: StrategyContext): FieldError[] {
    return context.subresource === 'status' ? conditionFaults(object.status) : this.validateCreate(object, context);
  }

  tableCells({spec}: PriorityLevelConfiguration): Record<string, string | number> {
    const queuing = spec?.limited?.limitResponse?.queuing;
    return {
      NominalConcurrencyShares: (spec?.limited && sharesOf(spec.limited)) ?? none,
      Queues: queuing?.queues ?? none,
      HandSize: queuing?.handSize ?? none,
      QueueLengthLimit: queuing?.queueLengthLimit ?? none,
    };
  }
}

function fixedFaults(name: string, object: PriorityLevelConfiguration): FieldError[] {
  const fixed = mandatoryPriorityLevels.get(name);
  if (!fixed) return [];
  const spec = withSharesOf(object, {group: '', version: 'v1beta3'})['spec'] as PriorityLevelSpec;
  return sameValue(spec, fixed) ? [] : [invalid(FieldPath.of('spec'), object.spec, `spec of '${name}' must equal the fixed value`)];
}
