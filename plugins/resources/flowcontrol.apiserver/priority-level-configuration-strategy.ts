import {
  FieldPath,
  forbiddenField,
  inject,
  invalid,
  strategy,
  Tokens,
  type ApiObject,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import {conditionFaults} from './condition-rules.js';
import type {PriorityLevelConfiguration, PriorityLevelSpec} from '../../families/flow-control/flow-types.js';
import {exemptName, mandatoryPriorityLevels} from '../../families/flow-control/mandatory-objects.js';
import {priorityLevelFaults} from './priority-level-rules.js';
import {sharesOf, withSharesOf, zeroSharesAnnotation} from '../../families/flow-control/shares-field.js';

const none = '<none>';
/** Shares of a limited level that says none. */
const defaultShares = 30;

/** PriorityLevelConfiguration: the share of the server's capacity that requests of a level get. */
@strategy()
export class PriorityLevelConfigurationStrategy implements ResourceStrategy<PriorityLevelConfiguration> {
  readonly #zeroAnnotation: string;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#zeroAnnotation = zeroSharesAnnotation(naming);
  }

  convert(object: PriorityLevelConfiguration, to: {readonly group: string; readonly version: string}): ApiObject {
    return withSharesOf(object, to, this.#zeroAnnotation);
  }

  applyDefaults({apiVersion = '', metadata, spec}: PriorityLevelConfiguration): void {
    if (!spec?.limited || !apiVersion.endsWith('/v1beta3') || spec.limited.nominalConcurrencyShares) return;
    const meantAsZero = metadata.annotations && Object.hasOwn(metadata.annotations, this.#zeroAnnotation);
    spec.limited.nominalConcurrencyShares = meantAsZero ? 0 : defaultShares;
  }

  validateCreate(object: PriorityLevelConfiguration, {version}: StrategyContext): FieldError[] {
    const {metadata, spec = {}, status} = object;
    const name = metadata.name ?? '';
    return [
      ...this.#annotationFaults(object, version),
      ...priorityLevelFaults(name, spec, version, this.#isMeantAsZero(object, version)),
      ...this.#fixedFaults(name, object, version),
      ...conditionFaults(status),
    ];
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

  /** Only `v1beta3` cannot say 0 shares otherwise. */
  #annotationFaults({metadata}: PriorityLevelConfiguration, version: string): FieldError[] {
    const isThere = metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, this.#zeroAnnotation);
    if (version !== 'v1' || !isThere) return [];
    return [forbiddenField(FieldPath.of('metadata', 'annotations'), `annotation '${this.#zeroAnnotation}' is forbidden`)];
  }

  #isMeantAsZero({metadata}: PriorityLevelConfiguration, version: string): boolean {
    return version === 'v1' || (version === 'v1beta3' && metadata.annotations?.[this.#zeroAnnotation] !== undefined);
  }

  #fixedFaults(name: string, object: PriorityLevelConfiguration, version: string): FieldError[] {
    const fixed = mandatoryPriorityLevels.get(name);
    if (!fixed) return [];
    const spec = withSharesOf(object, {group: '', version: 'v1beta3'}, this.#zeroAnnotation)['spec'] as PriorityLevelSpec;
    if (sameValue({...spec, exempt: undefined}, {...fixed, exempt: undefined}) && (name === exemptName || !spec.exempt)) return [];
    const what = version === 'v1' && name === exemptName ? `'${name}' except the 'spec.exempt' field` : `'${name}'`;
    return [invalid(FieldPath.of('spec'), object.spec, `spec of ${what} must equal the fixed value`)];
  }
}
