import type {NamingProfile, WebhookTarget} from '../../../sdk/index.js';
import type {MutatingWebhook} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {RequestMatcher} from '../admission-matching/request-matcher.js';
import type {ConditionCounter} from '../admission-policies/condition-metrics.js';
import {CallGate} from './call-gate.js';
import type {HookCredentials} from './hook-credentials.js';
import {HookConditions, type ConditionParts} from './match-conditions.js';

export type ReviewVersion = 'v1' | 'v1beta1';

const reviewVersions: readonly string[] = ['v1', 'v1beta1'] satisfies ReviewVersion[];
const defaultTimeoutSeconds = 10;

/** What webhooks need besides their definitions. */
export interface HookParts extends ConditionParts {
  readonly naming: NamingProfile;
  readonly credentials: HookCredentials;
  readonly conditionCounter: (webhook: string) => ConditionCounter;
  /** Whether it is from a file. */
  readonly isStatic?: boolean;
}

/** A webhook of a configuration, ready to be called. */
export class Hook {
  readonly name: string;
  readonly configuration: string;
  readonly matcher: RequestMatcher;
  readonly conditions: HookConditions;
  readonly target: WebhookTarget;
  /** Version in which reviews are sent; undefined if the webhook accepts none that the server supports. */
  readonly reviewVersion: ReviewVersion | undefined;
  readonly ignoresFailures: boolean;
  /** Whether it may be called for a dry run. */
  readonly supportsDryRun: boolean;
  readonly isReinvoked: boolean;
  readonly gate = new CallGate();
  /** Whether its last call failed; changes are logged. */
  isFailing = false;

  /** @param configuration name of the object that contains the definition */
  constructor(definition: MutatingWebhook, configuration: string, parts: HookParts) {
    this.name = definition.name ?? '';
    this.configuration = configuration;
    this.matcher = new RequestMatcher(definition, parts.naming, parts.isStatic);
    this.ignoresFailures = definition.failurePolicy === 'Ignore';
    this.target = targetOf(definition, parts.credentials);
    this.reviewVersion = definition.admissionReviewVersions?.find((version) => reviewVersions.includes(version)) as
      | ReviewVersion
      | undefined;
    this.conditions = new HookConditions(definition.matchConditions ?? [], this.ignoresFailures, parts.conditionCounter(this.name), parts);
    this.supportsDryRun = definition.sideEffects === 'None' || definition.sideEffects === 'NoneOnDryRun';
    this.isReinvoked = definition.reinvocationPolicy === 'IfNeeded';
  }
}

function targetOf({name: hookName = '', clientConfig, timeoutSeconds}: MutatingWebhook, credentials: HookCredentials): WebhookTarget {
  const {url, service, caBundle} = clientConfig ?? {};
  const shown = credentials.of({url, service});
  const settings = {
    name: hookName,
    timeoutMillis: (timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
    statusCode: 200,
    ...(caBundle ? {caBundle: Buffer.from(caBundle, 'base64').toString('utf8')} : {}),
    ...(shown ? {credentials: shown} : {}),
  };
  if (!service) return {...settings, url: url ?? ''};
  const {namespace = '', name = '', path, port} = service;
  return {...settings, service: {namespace, name, ...(path ? {path} : {}), ...(typeof port === 'number' ? {port} : {})}};
}
