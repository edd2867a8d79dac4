import {typeOfKind} from './discovery.js';
import {requestJson} from './request.js';
import type {ResourceType} from './types.js';

/** What became of an expression that was tried. */
export interface TrialOutcome {
  readonly field: string;
  readonly expression: string;
  readonly type?: string;
  readonly typeError?: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly cost?: number;
  readonly maximumCost?: number;
}

export const trialKinds = ['expression', 'rule', 'policy'] as const;
export type TrialKind = (typeof trialKinds)[number];
export const trialOperations = ['CREATE', 'UPDATE', 'DELETE'] as const;
export type TrialOperation = (typeof trialOperations)[number];

/** What somebody has typed. */
export interface TrialTexts {
  readonly expression: string;
  readonly rule: string;
  /** Of a rule: what makes its message. */
  readonly message: string;
  /** Where a rule stands: `spec.template`. */
  readonly path: string;
  /** In YAML, as the following. */
  readonly policy: string;
  readonly params: string;
  readonly object: string;
  readonly before: string;
}

/** Evaluates expressions on the server. Nothing is written. @throws Refusal */
export async function tryExpressions(trial: object, signal: AbortSignal): Promise<readonly TrialOutcome[]> {
  const answer = await requestJson<{outcomes: readonly TrialOutcome[]}>('/inspection/expressions', {method: 'POST', body: trial, signal});
  return answer.outcomes;
}

type Reader = (text: string) => {readonly value?: unknown; readonly faults: readonly {readonly text: string}[]};

/**
 * What is sent to the server.
 *
 * @param read of YAML
 * @param namespaceObject that the object is in
 * @throws Error if a text is no YAML
 */
export function trialOf(kind: TrialKind, operation: TrialOperation, texts: TrialTexts, read: Reader, namespaceObject?: object): object {
  const valueOf = (text: string, what: string) => {
    if (text.trim() === '') return undefined;
    const {value, faults} = read(text);
    if (faults[0]) throw new Error(`${what}: ${faults[0].text}`);
    return value ?? undefined;
  };
  const shown = valueOf(texts.object, 'The object');
  const before = operation === 'UPDATE' ? valueOf(texts.before, 'The object before') : undefined;
  const common = {type: typeOfObject(shown), ...(operation === 'DELETE' ? {oldObject: shown} : {object: shown, oldObject: before})};
  if (kind === 'rule') {
    const path = texts.path.split('.').filter(Boolean);
    return {kind, ...common, path, rule: texts.rule, messageExpression: texts.message};
  }
  const ofRequest = {...common, operation, params: valueOf(texts.params, 'The parameters'), namespaceObject};
  if (kind === 'expression') return {kind, ...ofRequest, expression: texts.expression};
  const policy = valueOf(texts.policy, 'The policy');
  // The whole object is as good as its spec.
  const spec = typeof policy === 'object' && policy !== null && 'spec' in policy ? policy.spec : policy;
  return {kind, ...ofRequest, spec};
}

/** The type that a value says it is an object of; undefined if the server has none such. */
function typeOfObject(value: unknown): Pick<ResourceType, 'group' | 'version' | 'resource'> | undefined {
  const {apiVersion, kind} = (value ?? {}) as {apiVersion?: unknown; kind?: unknown};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const type = typeOfKind(apiVersion, kind);
  // The version is that of the object, whichever is shown elsewhere.
  return type && {group: type.group, version: apiVersion.slice(apiVersion.indexOf('/') + 1), resource: type.resource};
}
