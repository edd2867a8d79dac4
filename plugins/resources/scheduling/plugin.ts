import {
  FieldPath,
  forbiddenField,
  ifFound,
  inject,
  strategy,
  Tokens,
  unlessExists,
  type FieldError,
  type ResourceClient,
  type ResourceRef,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {isGiven, validateImmutable, validateOneOf} from '../../../sdk/validation/index.js';
import type {PriorityClass} from '../../../sdk/types/unchecked/scheduling/v1.js';
import {highestUserPriority, systemClassProblem, systemPrefix, systemPriorityClasses} from './system-priority-classes.js';

export {PodGroupStrategy} from './pod-group-strategy.js';
export {WorkloadStrategy} from './workload-strategy.js';

const priorityClasses: ResourceRef = {group: 'scheduling.orch', version: 'v1', resource: 'priorityclasses'};
const policyPath = FieldPath.of('preemptionPolicy');
const policies = ['PreemptLowerPriority', 'Never'];

/**
 * PriorityClass: a name for a pod priority. The two system classes are created at start if they are missing. Admission, not this strategy,
 * checks that only one class is the default, because that depends on other objects.
 */
@strategy()
export class PriorityClassStrategy implements ResourceStrategy<PriorityClass> {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  prepareForCreate({metadata}: PriorityClass): void {
    metadata.generation = 1;
  }

  validateCreate(object: PriorityClass): FieldError[] {
    const {metadata, value = 0, globalDefault = false, preemptionPolicy} = object;
    const faults: FieldError[] = [];
    if (metadata.name?.startsWith(systemPrefix)) {
      const problem = systemClassProblem(metadata.name, value, globalDefault);
      if (problem) {
        const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
        faults.push(forbiddenField(FieldPath.of('metadata', 'name'), detail));
      }
    } else if (value > highestUserPriority) {
      faults.push(forbiddenField(FieldPath.of('value'), `maximum allowed value of a user defined priority is ${highestUserPriority}`));
    }
    if (isGiven(preemptionPolicy)) faults.push(...validateOneOf(preemptionPolicy, policies, policyPath));
    return faults;
  }

  validateUpdate(object: PriorityClass, old: PriorityClass): FieldError[] {
    const faults: FieldError[] = [];
    if ((object.value ?? 0) !== (old.value ?? 0)) faults.push(forbiddenField(FieldPath.of('value'), 'may not be changed in an update.'));
    return [...faults, ...validateImmutable(object.preemptionPolicy, old.preemptionPolicy, policyPath)];
  }

  tableCells({value, globalDefault, preemptionPolicy}: PriorityClass): Record<string, string | number | boolean> {
    return {Value: value ?? 0, 'Global-Default': globalDefault ?? false, PreemptionPolicy: preemptionPolicy ?? ''};
  }

  /** Creates the system classes if they are missing. Other servers may do the same at the same time. */
  start(signal: AbortSignal): Promise<void> {
    return this.bootstrap(signal);
  }

  async bootstrap(signal: AbortSignal): Promise<void> {
    await Promise.all(systemPriorityClasses.map((entry) => this.#ensure(entry, signal)));
  }

  async #ensure({name, value, description}: (typeof systemPriorityClasses)[number], signal: AbortSignal): Promise<void> {
    if (await ifFound(this.#resources.get(priorityClasses, '', name))) return;
    signal.throwIfAborted();
    await unlessExists(this.#resources.create(priorityClasses, '', {metadata: {name}, value, description}));
  }
}
