/**
 * Which requests are served first when there are more than the server can take, in the terms of Kubernetes' priority and fairness: a flow
 * schema assigns a request to a priority level and to a flow; a priority level says how much of the server its requests may use
 * together.
 */
export interface FlowControl {
  /** Whether priority and fairness is on (`--enable-priority-and-fairness`); otherwise the configuration has no effect. */
  readonly enabled: boolean;
  /**
   * Replaces the configuration in force. Requests in flight finish under the one they started with; waiting requests keep their places.
   * Schemas that name a missing level are ignored. `exempt` and `catch-all`, without which some requests would match nothing and
   * administrators might not be served, are always there, even if omitted.
   */
  configure(configuration: FlowControlConfiguration): void;
}

export interface FlowControlConfiguration {
  readonly flowSchemas: readonly FlowSchemaDefinition[];
  readonly priorityLevels: readonly PriorityLevelDefinition[];
}

/** What clients call it: groups, resources and namespaces are spelled as in requests. */
export interface FlowSchemaDefinition {
  readonly name: string;
  /** Sent to clients in a header; absent if there is no object. */
  readonly uid?: string;
  readonly priorityLevel: string;
  /** If several schemas match, the one with the lowest number wins; among equals, the first by name. */
  readonly matchingPrecedence: number;
  /** If absent, all matching requests are one flow. */
  readonly distinguisher?: 'ByUser' | 'ByNamespace';
  /** One that matches is enough. */
  readonly rules: readonly FlowRule[];
}

export interface FlowRule {
  /** One that matches is enough. */
  readonly subjects: readonly FlowSubject[];
  readonly resourceRules: readonly FlowResourceRule[];
  readonly nonResourceRules: readonly FlowNonResourceRule[];
}

/** The name `*` means all users, all groups, or all service accounts of the namespace. */
export type FlowSubject =
  | {readonly kind: 'User' | 'Group'; readonly name: string}
  | {readonly kind: 'ServiceAccount'; readonly namespace: string; readonly name: string};

/** A list that is just `*` matches everything; otherwise a request matches by equality. */
export interface FlowResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  /** `RESOURCE` or `RESOURCE/SUBRESOURCE`. */
  readonly resources: readonly string[];
  /** Whether requests without a namespace match. */
  readonly clusterScope: boolean;
  /** For requests with a namespace. */
  readonly namespaces: readonly string[];
}

export interface FlowNonResourceRule {
  readonly verbs: readonly string[];
  /** Paths; `*` for all, `/path/*` for all below. A path also covers what is below it. */
  readonly nonResourceURLs: readonly string[];
}

export interface PriorityLevelDefinition {
  readonly name: string;
  /** Sent to clients in a header; absent if there is no object. */
  readonly uid?: string;
  /** If absent, requests of the level are always served at once. */
  readonly limited?: PriorityLevelLimit;
  /** Of a level without limit: the seats that the limited ones have to leave to it. If absent, none. */
  readonly exempt?: Pick<PriorityLevelLimit, 'nominalConcurrencyShares' | 'lendablePercent'>;
}

export interface PriorityLevelLimit {
  /** Share of the server's seats: shares over the sum of the shares of all levels. With 0 it has what it can borrow. */
  readonly nominalConcurrencyShares: number;
  /** How much of its seats other levels may borrow, in percent; 0 to 100. */
  readonly lendablePercent: number;
  /** How many seats it may borrow, in percent of its own; if absent, as many as others lend. */
  readonly borrowingLimitPercent?: number;
  /** Where requests wait when all seats are taken; if absent, they are refused. */
  readonly queuing?: {
    /** Number of queues. */
    readonly queues: number;
    /** How many queues a flow is spread over: a request joins the emptiest of them. */
    readonly handSize: number;
    /** Maximum number of requests waiting in one queue. */
    readonly queueLengthLimit: number;
  };
}
