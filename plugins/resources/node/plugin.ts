import {
  dnsLabelFaults,
  duplicate,
  FieldPath,
  inject,
  invalid,
  strategy,
  Tokens,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {validateLabels} from '../../../sdk/labels/index.js';
import {validateImmutable} from '../../../sdk/validation/index.js';
import type {Toleration} from '../../../sdk/types/unchecked/core/v1.js';
import type {RuntimeClass} from '../../../sdk/types/unchecked/node/v1.js';
import {nodeLabelAdvice} from '../../families/pods/node-label-warnings.js';
import {roundResourceList} from '../../families/pods/resource-list.js';
import {validateResourceRequirements} from '../../families/pods/resource-requirements.js';
import {validateTolerations} from '../../families/pods/tolerations.js';

const handlerPath = FieldPath.of('handler');
const schedulingPath = FieldPath.of('scheduling');

/** RuntimeClass: how nodes run the containers of a pod. */
@strategy()
export class RuntimeClassStrategy implements ResourceStrategy<RuntimeClass> {
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#naming = naming;
  }

  applyDefaults({overhead}: RuntimeClass): void {
    roundResourceList(overhead?.podFixed);
  }

  prepareForCreate({scheduling}: RuntimeClass, {warn}: StrategyContext): void {
    for (const label of Object.keys(scheduling?.nodeSelector ?? {})) {
      const advice = nodeLabelAdvice(label, this.#naming);
      if (advice !== undefined) warn(`${schedulingPath.child('nodeSelector').toString()}: ${advice}`);
    }
  }

  prepareForUpdate(object: RuntimeClass, _old: RuntimeClass, context: StrategyContext): void {
    this.prepareForCreate(object, context);
  }

  validateCreate({handler = '', overhead, scheduling}: RuntimeClass): FieldError[] {
    const faults = dnsLabelFaults(handler).map((detail) => invalid(handlerPath, handler, detail));
    if (overhead)
      faults.push(...validateResourceRequirements({limits: overhead.podFixed ?? {}}, FieldPath.of('overhead'), {naming: this.#naming}));
    if (!scheduling) return faults;
    const tolerationsPath = schedulingPath.child('tolerations');
    return [
      ...faults,
      ...validateLabels(scheduling.nodeSelector, schedulingPath.child('nodeSelector')),
      ...validateTolerations(scheduling.tolerations, tolerationsPath),
      ...repetitions(scheduling.tolerations ?? [], tolerationsPath),
    ];
  }

  validateUpdate(object: RuntimeClass, old: RuntimeClass): FieldError[] {
    return [...this.validateCreate(object), ...validateImmutable(object.handler, old.handler, handlerPath)];
  }
}

/** Two tolerations that differ only in their duration count as equal. */
function repetitions(tolerations: readonly Toleration[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return tolerations.flatMap((toleration, index) => {
    const {key = '', operator = '', value = '', effect = ''} = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    const faults = seen.has(identity) ? [duplicate(path.index(index), toleration)] : [];
    seen.add(identity);
    return faults;
  });
}
