import {
  ExpressionError,
  forbiddenField,
  inject,
  injectable,
  invalid,
  Tokens,
  type Expressions,
  type ExpressionScope,
  type FeatureGates,
  type FieldError,
  type Scheduler,
} from '../../../../sdk/index.js';
import type {Finding, Selector} from './findings.js';

/** Of one selector for one device, in Kubernetes' units. */
const maximumCost = 1_000_000;
const maximumProperties = 32;

const domains = (values: object) => ({
  type: 'object',
  maxProperties: maximumProperties,
  additionalProperties: {type: 'object', maxProperties: maximumProperties, additionalProperties: values},
});

/** What selectors see of a device: of each domain the attributes and capacities, by their names. */
const deviceSchema = (isShareable: boolean) => ({
  type: 'object',
  properties: {
    driver: {type: 'string', 'x-orch-expression-type': 'string', maxLength: 63},
    attributes: domains({'x-orch-expression-type': 'dyn', maxLength: 64}),
    capacity: domains({type: 'string', 'x-orch-expression-type': 'kubernetes.Quantity'}),
    ...(isShareable ? {allowMultipleAllocations: {type: 'boolean'}} : {}),
  },
});

/** Compiles the expressions that choose devices, and finds those that may cost too much. There may be very many: others get their turn in between. */
@injectable()
export class DeviceSelectors {
  readonly #expressions: Expressions;
  readonly #scheduler: Scheduler;
  readonly #isShareable: boolean;
  /** Loaded for the first selector: most servers never have one. */
  #scope: Promise<ExpressionScope> | undefined;

  constructor(
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Scheduler) scheduler: Scheduler,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#expressions = expressions;
    this.#scheduler = scheduler;
    this.#isShareable = gates.enabled('DRAConsumableCapacity');
  }

  /** The errors among findings, in their order, with those of the expressions. */
  async faultsOf(findings: readonly Finding[]): Promise<FieldError[]> {
    if (!findings.some(isSelector)) return findings as FieldError[];
    const scope = await (this.#scope ??= this.#expressions.scope({device: deviceSchema(this.#isShareable)}));
    const task = this.#scheduler.task('request', 'validation of device selectors');
    const faults: FieldError[] = [];
    for (const finding of findings) {
      if (!isSelector(finding)) {
        faults.push(finding);
        continue;
      }
      faults.push(...selectorFaults(finding, scope));
      const waiting = task.yieldIfDue();
      if (waiting) await waiting;
    }
    return faults;
  }
}

function isSelector(finding: Finding): finding is Selector {
  return 'expression' in finding;
}

function selectorFaults({expression, path}: Selector, scope: ExpressionScope): FieldError[] {
  try {
    const compiled = scope.compile(expression, 'any');
    const {resultType} = compiled;
    if (resultType !== 'bool' && resultType !== 'dyn')
      return [invalid(path, expression, `must evaluate to bool or the unknown type, not ${resultType}`)];
    return compiled.maximumCost > maximumCost ? [forbiddenField(path, 'too complex, exceeds cost limit')] : [];
  } catch (error) {
    if (ExpressionError.is(error)) return [invalid(path, expression, error.message)];
    throw error;
  }
}
