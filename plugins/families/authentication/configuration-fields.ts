/** An `AuthenticationConfiguration` of the right structure. Empty texts count as not set, except prefixes. */
export interface AuthenticationConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly jwt?: readonly JwtFields[];
  readonly anonymous?: AnonymousFields;
}

/** Whether there are anonymous requests. */
export interface AnonymousFields {
  readonly enabled?: boolean;
  /** Only those for one of these paths. */
  readonly conditions?: readonly {readonly path?: string}[];
}

export interface JwtFields {
  readonly issuer?: IssuerFields;
  readonly claimValidationRules?: readonly ClaimRuleFields[];
  readonly claimMappings?: MappingFields;
  readonly userValidationRules?: readonly {readonly expression?: string; readonly message?: string}[];
}

export interface IssuerFields {
  readonly url?: string;
  readonly discoveryURL?: string;
  readonly certificateAuthority?: string;
  readonly audiences?: readonly string[];
  readonly audienceMatchPolicy?: string;
  readonly egressSelectorType?: string;
}

export interface ClaimRuleFields {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

export interface ClaimFields {
  readonly claim?: string;
  readonly expression?: string;
  readonly prefix?: string;
}

export interface MappingFields {
  readonly username?: ClaimFields;
  readonly groups?: ClaimFields;
  readonly uid?: ClaimFields;
  readonly extra?: readonly {readonly key?: string; readonly valueExpression?: string}[];
}
