import type {FlowSchemaDefinition} from '../../../sdk/index.js';
import type {RequestTurns} from '../request/exchange.js';
import type {SchemaFigures} from './flow-figures.js';
import type {PriorityLevel} from './priority-level.js';
import type {QueuedFlow} from './queue-set.js';
import {dealHand, flowHash} from './shuffle-sharding.js';
import {TurnFlow} from './turns.js';

/** Flows that a schema remembers; the oldest are dropped. A dropped flow that comes back has a new share in the scheduler, but the same queues. */
const rememberedFlows = 1024;
/** A flow with a longer distinguisher is not remembered. */
const longestDistinguisher = 256;

/** A flow schema in force: where the requests that match it go. */
export class FlowSchema {
  readonly name: string;
  /** Response headers that name the schema and its level: names and values in turn. */
  readonly headers: readonly string[];
  readonly distinguisher: FlowSchemaDefinition['distinguisher'];
  readonly #flows = new Map<string, Flow>();

  /**
   * @param order place among all schemas: the lowest that matches wins
   * @param headerPrefix of the response headers that name the schema and level of a request
   * @param figures counts the outcomes of its requests
   */
  constructor(
    definition: FlowSchemaDefinition,
    readonly level: PriorityLevel,
    readonly order: number,
    headerPrefix: string,
    readonly figures: SchemaFigures,
  ) {
    this.name = definition.name;
    this.distinguisher = definition.distinguisher;
    this.headers = [
      ...(definition.uid === undefined ? [] : [`${headerPrefix}-PF-FlowSchema-UID`, definition.uid]),
      ...(level.uid === undefined ? [] : [`${headerPrefix}-PF-PriorityLevel-UID`, level.uid]),
    ];
  }

  /** The flow of a user or a namespace, depending on how the schema distinguishes flows. */
  flow(distinguisher: string): Flow {
    const known = this.#flows.get(distinguisher);
    if (known) return known;
    const flow = new Flow(this, distinguisher);
    if (distinguisher.length > longestDistinguisher) return flow;
    if (this.#flows.size >= rememberedFlows) this.#flows.delete(this.#flows.keys().next().value!);
    this.#flows.set(distinguisher, flow);
    return flow;
  }
}

/** A flow of a priority level: the requests of one schema, and of one user or namespace if the schema distinguishes these. */
export class Flow implements QueuedFlow {
  readonly turns: TurnFlow;
  /** Its share in the scheduler, set by its first request. */
  requestTurns: RequestTurns | undefined;
  seatsInUse = 0;
  #queues = 0;
  #hand: readonly number[] = [];

  constructor(
    readonly schema: FlowSchema,
    readonly distinguisher: string,
  ) {
    this.turns = new TurnFlow(schema.level.turns);
  }

  hand(queues: number, handSize: number): readonly number[] {
    if (queues !== this.#queues || handSize !== this.#hand.length) {
      this.#queues = queues;
      this.#hand = dealHand(flowHash(this.schema.name, this.distinguisher), queues, handSize);
    }
    return this.#hand;
  }
}
