import type {CheckScope} from './check/checker.js';
import type {Construct, PlanScope} from './evaluate/plan.js';
import type {CelFeatures} from './features.js';
import {declarationsOf, type Declarations} from './libraries/declarations.js';
import type {Library} from './libraries/overload.js';
import type {CelType} from './types/cel-type.js';
import type {StructType} from './types/struct-type.js';

/** What an environment has beside variables. */
export interface Additions {
  /** Types that can be named but not be evaluated. */
  readonly unplanned?: ReadonlyMap<string, CelType>;
  readonly libraries?: readonly Library[];
  readonly structType?: (name: string) => StructType | undefined;
  readonly construct?: Construct;
}

const none: ReadonlyMap<string, CelType> = new Map();

/** What expressions can refer to: variables, and the functions and types that the features have. */
export class ExpressionEnvironment implements CheckScope, PlanScope {
  readonly declarations: Declarations;
  readonly unplanned: ReadonlyMap<string, CelType>;
  readonly structType?: (name: string) => StructType | undefined;
  readonly construct?: Construct;

  /** @param variables their types by name */
  constructor(
    readonly features: CelFeatures,
    readonly variables: ReadonlyMap<string, CelType>,
    additions: Additions = {},
  ) {
    this.unplanned = additions.unplanned ?? none;
    this.declarations = declarationsOf(features, additions.libraries);
    if (additions.structType) this.structType = additions.structType;
    if (additions.construct) this.construct = additions.construct;
  }
}
