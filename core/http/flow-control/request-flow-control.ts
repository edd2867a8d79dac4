import {
  every,
  type FlowControl,
  type FlowControlConfiguration,
  type FlowSchemaDefinition,
  type Logger,
  type Metrics,
  type UserInfo,
} from '../../../sdk/index.js';
import {MetricRegistry} from '../../metrics/metric-registry.js';
import type {RequestInfo} from '../request/request-info.js';
import {Classifier} from './classifier.js';
import {catchAll, completed, mandatoryConfiguration} from './default-configuration.js';
import {FlowFigures} from './flow-figures.js';
import {FlowSchema, type Flow} from './flow-schema.js';
import {PriorityLevel} from './priority-level.js';
import {RequestRules} from './request-rules.js';
import {shareSeats} from './share-seats.js';
import {Turns} from './turns.js';

/** How often lending and borrowing between levels is recomputed. */
const sharingMillis = 10_000;

export interface RequestFlowControlOptions {
  readonly enabled: boolean;
  /** Seats of all levels together, without the exempt ones. */
  readonly seats: number;
  /** Of the response headers that name the schema and level of a request: `X-Orch`. */
  readonly headerPrefix: string;
  readonly logger: Logger;
  /** Nothing is counted by default. */
  readonly metrics?: Metrics;
  /** Monotonic, in milliseconds. */
  readonly clock?: () => number;
}

/** Flow control of one server: the flow schemas and priority levels in force, and their current seats. */
export class RequestFlowControl implements FlowControl {
  readonly enabled: boolean;
  readonly turns: Turns;
  #levels = new Map<string, PriorityLevel>();
  readonly #figures: FlowFigures;
  #classifier!: Classifier;
  /** Monotonic, in milliseconds. */
  readonly clock: () => number;
  #stopSharing: (() => void) | undefined;

  readonly #options: RequestFlowControlOptions;

  /** @throws Error in one sentence if there is no seat at all */
  constructor(options: RequestFlowControlOptions) {
    this.#options = options;

    this.enabled = options.enabled;
    if (options.enabled && options.seats <= 0)
      throw new Error('--max-requests-inflight and --max-mutating-requests-inflight must not both be 0 while priority and fairness is on');
    this.clock = options.clock ?? (() => performance.now());
    this.turns = new Turns(this.clock);
    this.#figures = new FlowFigures(options.metrics ?? new MetricRegistry(), () => this.levels);
    this.configure(mandatoryConfiguration);
  }

  /** Starts adjusting the seats of the levels every ten seconds. */
  start(): void {
    if (this.enabled) this.#stopSharing ??= every(sharingMillis, () => this.adjust());
  }

  stop(): void {
    this.#stopSharing?.();
    this.#stopSharing = undefined;
  }

  /** The levels in force, and deleted ones whose last requests have not ended. */
  get levels(): readonly PriorityLevel[] {
    return [...this.#levels.values()];
  }

  classify(user: UserInfo, info: RequestInfo): Flow {
    return this.#classifier.classify(user, info);
  }

  configure(configuration: FlowControlConfiguration): void {
    const {flowSchemas, priorityLevels} = completed(configuration);
    const former = this.#levels;
    this.#levels = new Map();
    for (const definition of priorityLevels) {
      const known = former.get(definition.name);
      // A level does not change between exempt and limited: only the one named so is exempt.
      const level = known && (known.limit === undefined) === (definition.limited === undefined) ? known : this.#newLevel(definition);
      level.uid = definition.uid;
      level.limit = definition.limited;
      level.exempt = definition.exempt;
      level.leaving = false;
      this.#levels.set(level.name, level);
    }
    for (const [name, level] of former) {
      if (this.#levels.has(name) || !level.queues || level.queues.idle) continue;
      level.leaving = true;
      this.#levels.set(name, level);
    }
    this.#settleSeats();
    this.#classifier = this.#classifierOf(flowSchemas);
    this.adjust();
  }

  /** Lends seats of levels that do not need them to others. Called every ten seconds. */
  adjust(): void {
    const now = this.clock();
    this.#dropLevels();
    const limited = this.levels.filter(({queues}) => queues !== undefined);
    // Exempt levels take what they need; what they reserve and do not lend is not for others.
    const total = this.levels.reduce((sum, {queues, nominalSeats, leastSeats}) => sum + nominalSeats - (queues ? 0 : leastSeats), 0);
    const shares = shareSeats(
      total,
      limited.map((level) => level.claim(now)),
    );
    for (const [index, level] of limited.entries()) level.queues!.configure(Math.max(1, Math.round(shares[index]!)), level.limit!.queuing);
    this.#options.logger.debug(
      {seats: Object.fromEntries(limited.map((level) => [level.name, level.queues!.state.seats]))},
      'seats shared out',
    );
  }

  #newLevel(definition: FlowControlConfiguration['priorityLevels'][number]): PriorityLevel {
    return new PriorityLevel(definition, this.clock);
  }

  /** Drops deleted levels whose last requests have ended. */
  #dropLevels(): void {
    const gone = this.levels.filter(({leaving, queues}) => leaving && queues!.idle);
    for (const {name} of gone) this.#levels.delete(name);
    if (gone.length > 0) this.#settleSeats();
  }

  #settleSeats(): void {
    const shares = this.levels.reduce((sum, {limit, exempt}) => sum + ((limit ?? exempt)?.nominalConcurrencyShares ?? 0), 0);
    for (const level of this.#levels.values()) level.settle(this.#options.seats, shares);
  }

  #classifierOf(definitions: readonly FlowSchemaDefinition[]): Classifier {
    const inOrder = definitions.toSorted((a, b) => a.matchingPrecedence - b.matchingPrecedence || (a.name < b.name ? -1 : 1));
    const schemas = inOrder.map((definition, order) => {
      const level = this.#levels.get(definition.priorityLevel)!;
      return {
        definition,
        schema: new FlowSchema(definition, level, order, this.#options.headerPrefix, this.#figures.ofSchema(definition.name, level.name)),
      };
    });
    const rules = schemas.flatMap(({definition, schema}) =>
      definition.rules.map((rule) => ({schema, subjects: rule.subjects, requests: new RequestRules(rule)})),
    );
    return new Classifier(rules, schemas.find(({schema}) => schema.name === catchAll)!.schema);
  }
}
