/**
 * Which requests are served when there are more than the server takes at once, in the words of Kubernetes' priority and fairness: a flow
 * schema says which priority level a request belongs to and what tells its flow from others, a priority level how much of the server its
 * requests may take together.
 */
export interface FlowControl {
  /** Whether requests are put in order at all (`--enable-priority-and-fairness`); otherwise what is configured has no effect. */
  readonly enabled: boolean;
  /**
   * Takes the place of what was in force. Requests that are under way finish by what they began with, and those that wait keep their places.
   * Schemas that name a level that is not there are passed over. What must be there for every request to match, and for administrators to be served always,
   * (`exempt` and `catch-all`) is there also when it is left out.
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
  /** Told to clients in a header; absent where there is no object. */
  readonly uid?: string;
  readonly priorityLevel: string;
  /** Of the schemas that match a request that with the lowest number counts, of those with the same number the first by name. */
  readonly matchingPrecedence: number;
  /** Without it all requests that match are one flow. */
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

/** `*` as name stands for all users, all groups, all service accounts of the namespace. */
export type FlowSubject =
  | {readonly kind: 'User' | 'Group'; readonly name: string}
  | {readonly kind: 'ServiceAccount'; readonly namespace: string; readonly name: string};

/** A list that is `*` alone matches all; otherwise a request matches by equality. */
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
  /** Paths; `*` for all, `/path/*` for all below. A path also stands for what is below it. */
  readonly nonResourceURLs: readonly string[];
}

export interface PriorityLevelDefinition {
  readonly name: string;
  /** Told to clients in a header; absent where there is no object. */
  readonly uid?: string;
  /** Without it requests of the level are served at once, always. */
  readonly limited?: PriorityLevelLimit;
}

export interface PriorityLevelLimit {
  /** Share of the server's seats: shares over the sum of the shares of all levels. Above 0. */
  readonly nominalConcurrencyShares: number;
  /** How much of its seats other levels may borrow, in percent; 0 to 100. */
  readonly lendablePercent: number;
  /** How many seats it may borrow, in percent of its own; as many as others lend when absent. */
  readonly borrowingLimitPercent?: number;
  /** Where requests wait when all seats are taken; without it they are refused. */
  readonly queuing?: {
    /** Number of queues. */
    readonly queues: number;
    /** How many queues a flow is spread over: the emptiest of them is taken. */
    readonly handSize: number;
    /** How many requests wait in one queue at most. */
    readonly queueLengthLimit: number;
  };
}
