import {
  forbiddenField,
  inject,
  injectable,
  invalid,
  Tokens,
  type Expression,
  type Expressions,
  type ExpressionScope,
  type FeatureGates,
  type FieldError,
  type FieldPath,
  type Scheduler,
} from '../../../../sdk/index.js';
import {faultsOfFindings, type Finding} from './findings.js';

/** Of one selector for one device, in Kubernetes' units. */
const maximumCost = 1_000_000;
const maximumProperties = 32;

const domains = (values: object) => ({
  type: 'object',
  maxProperties: maximumProperties,
  additionalProperties: {type: 'object', maxProperties: maximumProperties, additionalProperties: values},
});

/**
 * What selectors see of a device: of each domain the attributes and capacities, by their names.
 *
 * @param attribute type of an attribute
 */
const deviceSchema = (isShareable: boolean, attribute: 'any' | 'dyn') => ({
  type: 'object',
  properties: {
    driver: {type: 'string', 'x-orch-expression-type': 'string', maxLength: 63},
    attributes: domains({'x-orch-expression-type': attribute, maxLength: 64}),
    capacity: domains({type: 'string', 'x-orch-expression-type': 'kubernetes.Quantity'}),
    ...(isShareable ? {allowMultipleAllocations: {type: 'boolean'}} : {}),
  },
});

/** Compiles the expressions that choose devices, and finds those that may cost too much. */
@injectable()
export class DeviceSelectors {
  readonly #expressions: Expressions;
  readonly #scheduler: Scheduler;
  readonly #isShareable: boolean;
  readonly #hasLists: boolean;
  #scope: Promise<ExpressionScope> | undefined;

  constructor(
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Scheduler) scheduler: Scheduler,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#expressions = expressions;
    this.#scheduler = scheduler;
    this.#isShareable = gates.enabled('DRAConsumableCapacity');
    this.#hasLists = gates.enabled('DRAListTypeAttributes');
  }

  /** The errors among findings, in their order, with those of the expressions. */
  faultsOf(findings: readonly Finding[]): Promise<FieldError[]> {
    const attribute = this.#hasLists ? 'dyn' : 'any';
    const libraries = ['bindings', 'semver', ...(this.#hasLists ? (['includes'] as const) : [])] as const;
    const open = () => (this.#scope ??= this.#expressions.scope({device: deviceSchema(this.#isShareable, attribute)}, {libraries}));
    const selectorFaults = (expression: Expression, path: FieldPath) => faultsOfSelector(expression, path, attribute);
    return faultsOfFindings(findings, this.#scheduler, open, selectorFaults);
  }
}

/** @param attribute type of an attribute, which a selector may evaluate to */
function faultsOfSelector({text, resultType, maximumCost: cost}: Expression, path: FieldPath, attribute: string): FieldError[] {
  if (resultType !== 'bool' && resultType !== 'any' && resultType !== attribute)
    return [invalid(path, text, `must evaluate to bool or the unknown type, not ${resultType}`)];
  return cost > maximumCost ? [forbiddenField(path, 'too complex, exceeds cost limit')] : [];
}
