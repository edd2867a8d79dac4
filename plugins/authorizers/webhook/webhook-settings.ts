import {statSync} from 'node:fs';
import {isAbsolute} from 'node:path';
import {
  duplicate,
  durationText,
  ExpressionError,
  invalid,
  notSupported,
  parseDuration,
  required,
  tooMany,
  type ExpressionScope,
  type FieldError,
  type FieldPath,
  type JsonObject,
} from '../../../sdk/index.js';

/** How one service is asked. */
export interface WebhookSettings {
  /** The client configuration file for the service. */
  readonly file: string;
  readonly version: 'v1' | 'v1beta1';
  readonly timeoutMillis: number;
  /** How long decisions are remembered; 0 for not at all. */
  readonly authorizedMillis: number;
  readonly unauthorizedMillis: number;
  /** What counts when the service gives no usable answer. */
  readonly onError: 'no-opinion' | 'deny';
  /** Texts of expressions, all of which must be true for the service to be asked. */
  readonly matchConditions: readonly string[];
}

/** The settings of an entry in an `AuthorizationConfiguration`, structurally valid. */
interface Fields {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: {readonly type?: string; readonly kubeConfigFile?: string};
  readonly matchConditions?: readonly {readonly expression?: string}[];
}

/** Kubernetes' limit. */
const mostConditions = 64;
const longestTimeout = 30_000_000_000n;

/** All that is wrong with an entry, in Kubernetes' words and order. @param path of the entry: that is where Kubernetes reports them */
export function webhookFaults(settings: JsonObject, path: FieldPath, scope: ExpressionScope): FieldError[] {
  const fields = settings as Fields;
  const version = fields.subjectAccessReviewVersion ?? '';
  const conditions = fields.matchConditions ?? [];
  return [
    ...timeoutFaults(fields.timeout, path.child('timeout')),
    ...lifetimeFaults(fields.authorizedTTL ?? '5m', path.child('authorizedTTL')),
    ...lifetimeFaults(fields.unauthorizedTTL ?? '30s', path.child('unauthorizedTTL')),
    ...oneOf(version, ['v1', 'v1beta1'], path.child('subjectAccessReviewVersion')),
    ...conditionVersionFaults(fields, path.child('matchConditionSubjectAccessReviewVersion')),
    ...oneOf(fields.failurePolicy ?? '', ['NoOpinion', 'Deny'], path.child('failurePolicy')),
    ...connectionFaults(fields, path.child('connectionInfo')),
    ...(conditions.length > mostConditions
      ? [tooMany(path.child('matchConditions'), conditions.length, mostConditions)]
      : conditionFaults(conditions, path.child('matchConditions'), scope)),
  ];
}

/** @param settings without faults */
export function webhookSettings(settings: JsonObject): WebhookSettings {
  const fields = settings as Fields;
  const {cacheAuthorizedRequests = true, cacheUnauthorizedRequests = true} = fields;
  return {
    file: fields.connectionInfo!.kubeConfigFile!,
    version: fields.subjectAccessReviewVersion as 'v1' | 'v1beta1',
    timeoutMillis: millisOf(fields.timeout!),
    // 0 stands for the default, as in Kubernetes.
    authorizedMillis: cacheAuthorizedRequests ? millisOf(fields.authorizedTTL ?? '5m') || 300_000 : 0,
    unauthorizedMillis: cacheUnauthorizedRequests ? millisOf(fields.unauthorizedTTL ?? '30s') || 30_000 : 0,
    onError: fields.failurePolicy === 'Deny' ? 'deny' : 'no-opinion',
    matchConditions: (fields.matchConditions ?? []).map(({expression = ''}) => expression),
  };
}

function millisOf(text: string): number {
  return Number((parseDuration(text) ?? 0n) / 1_000_000n);
}

function timeoutFaults(text: string | undefined, path: FieldPath): FieldError[] {
  const timeout = parseDuration(text ?? '0') ?? 0n;
  if (timeout === 0n) return [required(path)];
  return timeout > longestTimeout || timeout < 0n ? [invalid(path, durationText(timeout), 'must be > 0s and <= 30s')] : [];
}

function lifetimeFaults(text: string, path: FieldPath): FieldError[] {
  const lifetime = parseDuration(text) ?? 0n;
  return lifetime < 0n ? [invalid(path, durationText(lifetime), 'must be > 0s')] : [];
}

function oneOf(value: string, allowed: readonly string[], path: FieldPath): FieldError[] {
  if (value === '') return [required(path)];
  return allowed.includes(value) ? [] : [unsupported(path, value, allowed)];
}

/** The allowed ones in the order in which Kubernetes lists them. */
function unsupported(path: FieldPath, value: string, allowed: readonly string[]): FieldError {
  const {body, ...fault} = notSupported(path, value, allowed);
  return {
    ...fault,
    body: body.replace(/supported values: .*$/s, `supported values: ${allowed.map((one) => JSON.stringify(one)).join(', ')}`),
  };
}

function conditionVersionFaults(
  {matchConditionSubjectAccessReviewVersion: version = '', matchConditions = []}: Fields,
  path: FieldPath,
): FieldError[] {
  if (version === '') return matchConditions.length > 0 ? [required(path, 'required if match conditions are specified')] : [];
  return version === 'v1' ? [] : [notSupported(path, version, ['v1'])];
}

function connectionFaults({connectionInfo = {}}: Fields, path: FieldPath): FieldError[] {
  const {type = '', kubeConfigFile} = connectionInfo;
  const filePath = path.child('kubeConfigFile');
  if (type === '') return [required(path.child('type'))];
  if (type === 'InClusterConfig') {
    // Kubernetes knows it for other servers than the one that decides.
    const faults = [invalid(path.child('type'), type, 'this server is not asked about itself: use KubeConfigFile')];
    if (kubeConfigFile !== undefined) faults.push(invalid(filePath, kubeConfigFile, 'can only be set when type=KubeConfigFile'));
    return faults;
  }
  if (type !== 'KubeConfigFile') return [notSupported(path.child('type'), type, ['InClusterConfig', 'KubeConfigFile'])];
  if (!kubeConfigFile) return [required(filePath)];
  if (!isAbsolute(kubeConfigFile)) return [invalid(filePath, kubeConfigFile, 'must be an absolute path')];
  try {
    return statSync(kubeConfigFile).isFile() ? [] : [invalid(filePath, kubeConfigFile, 'must be a regular file')];
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const detail = isMissing ? `stat ${kubeConfigFile}: no such file or directory` : (error as Error).message;
    return [invalid(filePath, kubeConfigFile, `error loading file: ${detail}`)];
  }
}

function conditionFaults(conditions: NonNullable<Fields['matchConditions']>, path: FieldPath, scope: ExpressionScope): FieldError[] {
  const texts = new Set<string>();
  return conditions.flatMap(({expression = ''}, index) => {
    const at = path.index(index).child('expression');
    if (expression.trim() === '') return [required(at)];
    if (texts.has(expression)) return [duplicate(at, expression)];
    texts.add(expression);
    try {
      const {resultType} = scope.compile(expression, 'any');
      return resultType === 'bool' ? [] : [invalid(at, expression, `must evaluate to bool but got ${resultType}`)];
    } catch (error) {
      if (!ExpressionError.is(error)) throw error;
      return [invalid(at, expression, error.message)];
    }
  });
}
