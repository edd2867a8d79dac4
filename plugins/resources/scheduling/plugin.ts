import {
  age,
  FieldPath,
  forbiddenField,
  inject,
  StatusError,
  strategy,
  Tokens,
  type FieldError,
  type ResourceClient,
  type ResourceRef,
  type ResourceStrategy,
  type Unchecked,
} from '../../../sdk/index.js';
import {isGiven, validateImmutable, validateOneOf} from '../../../sdk/validation/index.js';
import type * as scheduling from '../../../sdk/types/scheduling/v1.js';
import {highestUserPriority, systemClassProblem, systemPrefix, systemPriorityClasses} from './system-priority-classes.js';

type PriorityClass = Unchecked<scheduling.PriorityClass>;

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

  tableCells({value, globalDefault, metadata}: PriorityClass, now: Date): Record<string, string | number | boolean> {
    return {Value: value ?? 0, 'Global-Default': globalDefault ?? false, Age: age(metadata.creationTimestamp, now)};
  }

  /** Creates the system classes if they are missing. Other servers may do the same at the same time. */
  start(signal: AbortSignal): Promise<void> {
    return this.bootstrap(signal);
  }

  async bootstrap(signal: AbortSignal): Promise<void> {
    await Promise.all(systemPriorityClasses.map((entry) => this.#ensure(entry, signal)));
  }

  async #ensure({name, value, description}: (typeof systemPriorityClasses)[number], signal: AbortSignal): Promise<void> {
    if (await this.#exists(name)) return;
    signal.throwIfAborted();
    const object = {metadata: {name}, value, description};
    try {
      await this.#resources.create(priorityClasses, '', object);
    } catch (error) {
      if (!StatusError.is(error) || error.reason !== 'AlreadyExists') throw error;
    }
  }

  async #exists(name: string): Promise<boolean> {
    try {
      await this.#resources.get(priorityClasses, '', name);
      return true;
    } catch (error) {
      if (StatusError.is(error) && error.reason === 'NotFound') return false;
      throw error;
    }
  }
}
