import {
  inject,
  injectable,
  invalid,
  Tokens,
  type Expressions,
  type ExpressionScope,
  type FieldError,
  type Scheduler,
} from '../../../../sdk/index.js';
import {faultsOfFindings, type Finding} from '../devices/findings.js';

const values = (schema: object) => ({type: 'object', additionalProperties: schema});
const lists = (items: object) => values({type: 'array', items});

/** What selectors see of an instance: its attributes of each type of value, by their names. */
const attributesSchema = {
  type: 'object',
  properties: {
    quantity: values({type: 'string', 'x-orch-expression-type': 'kubernetes.Quantity'}),
    bool: values({type: 'boolean'}),
    int: values({type: 'integer'}),
    intslice: lists({type: 'integer'}),
    string: values({type: 'string'}),
    stringslice: lists({type: 'string'}),
    version: values({type: 'string', 'x-orch-expression-type': 'kubernetes.Semver'}),
  },
};

/** Compiles the expressions of structured parameters, which choose instances by their attributes. */
@injectable()
export class AttributeSelectors {
  readonly #expressions: Expressions;
  readonly #scheduler: Scheduler;
  #scope: Promise<ExpressionScope> | undefined;

  constructor(@inject(Tokens.Expressions) expressions: Expressions, @inject(Tokens.Scheduler) scheduler: Scheduler) {
    this.#expressions = expressions;
    this.#scheduler = scheduler;
  }

  /** The errors among findings, in their order, with those of the expressions. */
  faultsOf(findings: readonly Finding[]): Promise<FieldError[]> {
    const open = () => (this.#scope ??= this.#expressions.scope({attributes: attributesSchema}, {libraries: ['semver']}));
    return faultsOfFindings(findings, this.#scheduler, open, ({text, resultType}, path) =>
      resultType === 'bool' ? [] : [invalid(path, text, 'must evaluate to bool')],
    );
  }
}
