import type {Environment} from '@marcbachmann/cel-js';
import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  ExpressionPending,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type ExpressionAuthorizer,
  type UserInfo,
} from '../../../../sdk/index.js';
import {meter} from '../cost-meter.js';

const sync = {async: false};
/** What a check costs: a single expression can make two (Kubernetes' cost). */
const stepsPerCheck = 350_000;

/** The name of the type of the variable `authorizer`. */
export const authorizerType = 'kubernetes.authorization.Authorizer';
const pathType = 'kubernetes.authorization.PathCheck';
const groupType = 'kubernetes.authorization.GroupCheck';
const resourceType = 'kubernetes.authorization.ResourceCheck';
const decisionType = 'kubernetes.authorization.Decision';

/** What a check came to; an error if the authorizers could not say. */
interface Answer extends Partial<AuthorizationDecision> {
  readonly error?: string;
}

/** The questions of one request, each asked once. */
class Answers {
  readonly #authorizer: ExpressionAuthorizer;
  readonly #known = new Map<string, Answer>();

  constructor(authorizer: ExpressionAuthorizer) {
    this.#authorizer = authorizer;
  }

  /** The answer; ends the evaluation if it has to be waited for. */
  to(attributes: AuthorizationAttributes): Answer {
    const key = JSON.stringify(attributes);
    const known = this.#known.get(key);
    return known ?? meter.suspend(new ExpressionPending(() => this.#ask(key, attributes)));
  }

  async #ask(key: string, attributes: AuthorizationAttributes): Promise<void> {
    try {
      this.#known.set(key, await this.#authorizer.authorize(attributes));
    } catch (error) {
      this.#known.set(key, {error: (error as Error).message});
    }
  }
}

const answers = new WeakMap<ExpressionAuthorizer, Answers>();
const ofNothing = {group: '', version: '', resource: '', subresource: '', namespace: '', name: ''};

class AuthorizerValue {
  /** Read as a field by the library. */
  readonly requestResource: ResourceCheckValue;

  constructor(
    readonly answers: Answers,
    readonly user: UserInfo,
    readonly ofRequest: ExpressionAuthorizer['requestResource'],
  ) {
    this.requestResource = new ResourceCheckValue(answers, user, {...ofNothing, version: '*', ...ofRequest});
  }
}

class PathCheckValue {
  constructor(
    readonly authorizer: AuthorizerValue,
    readonly path: string,
  ) {}
}

class GroupCheckValue {
  constructor(
    readonly authorizer: AuthorizerValue,
    readonly group: string,
  ) {}
}

type Place = Omit<AuthorizationAttributes, 'user' | 'verb' | 'isResourceRequest' | 'path'>;

class ResourceCheckValue {
  constructor(
    readonly answers: Answers,
    readonly user: UserInfo,
    readonly place: Place,
  ) {}

  with(place: Partial<Place>): ResourceCheckValue {
    return new ResourceCheckValue(this.answers, this.user, {...this.place, ...place});
  }
}

class DecisionValue {
  constructor(readonly answer: Answer) {}
}

/** The variable `authorizer` of the expressions about a request. */
export function authorizerOf(authorizer: ExpressionAuthorizer): unknown {
  let ofRequest = answers.get(authorizer);
  if (!ofRequest) answers.set(authorizer, (ofRequest = new Answers(authorizer)));
  return new AuthorizerValue(ofRequest, authorizer.user, authorizer.requestResource);
}

/** Kubernetes' authorization library: `authorizer.group('apps').resource('deployments').namespace('x').check('create').allowed()`. */
export function addAuthorization(environment: Environment): void {
  environment
    .registerType(resourceType, ResourceCheckValue)
    .registerType(authorizerType, {ctor: AuthorizerValue, fields: {requestResource: resourceType}})
    .registerType(pathType, PathCheckValue)
    .registerType(groupType, GroupCheckValue)
    .registerType(decisionType, DecisionValue);
  environment
    .registerFunction(`${authorizerType}.path(string): ${pathType}`, pathCheck, sync)
    .registerFunction(
      `${authorizerType}.group(string): ${groupType}`,
      (from: AuthorizerValue, group: string) => new GroupCheckValue(from, group),
      sync,
    )
    .registerFunction(`${authorizerType}.serviceAccount(string, string): ${authorizerType}`, serviceAccount, sync)
    .registerFunction(`${groupType}.resource(string): ${resourceType}`, resourceCheck, sync)
    .registerFunction(`${pathType}.check(string): ${decisionType}`, checkPath, sync)
    .registerFunction(`${resourceType}.check(string): ${decisionType}`, checkResource, sync)
    .registerFunction(`${decisionType}.allowed(): bool`, ({answer}: DecisionValue) => answer.decision === 'allow', sync)
    .registerFunction(`${decisionType}.reason(): string`, ({answer}: DecisionValue) => answer.reason ?? '', sync)
    .registerFunction(`${decisionType}.errored(): bool`, ({answer}: DecisionValue) => answer.error !== undefined, sync)
    .registerFunction(`${decisionType}.error(): string`, ({answer}: DecisionValue) => answer.error ?? '', sync);
  for (const member of ['subresource', 'namespace', 'name'] as const)
    environment.registerFunction(
      `${resourceType}.${member}(string): ${resourceType}`,
      (check: ResourceCheckValue, value: string) => check.with({[member]: value}),
      sync,
    );
}

function pathCheck(authorizer: AuthorizerValue, path: string): PathCheckValue {
  if (path.trim() === '') throw new Error('path must not be empty');
  return new PathCheckValue(authorizer, path);
}

/** A service account has no more groups than these here. */
function serviceAccount({answers: known, ofRequest}: AuthorizerValue, namespace: string, name: string): AuthorizerValue {
  if (dnsSubdomainFaults(name).length > 0) throw new Error('Invalid service account name');
  if (dnsLabelFaults(namespace).length > 0) throw new Error('Invalid service account namespace');
  const user = {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
  return new AuthorizerValue(known, user, ofRequest);
}

function resourceCheck({authorizer: {answers: known, user}, group}: GroupCheckValue, resource: string): ResourceCheckValue {
  if (resource.trim() === '') throw new Error('resource must not be empty');
  return new ResourceCheckValue(known, user, {...ofNothing, group, version: '*', resource});
}

function checkPath({authorizer: {answers: known, user}, path}: PathCheckValue, verb: string): DecisionValue {
  meter.spend(stepsPerCheck);
  return new DecisionValue(known.to({...ofNothing, user, verb, isResourceRequest: false, path}));
}

function checkResource({answers: known, user, place}: ResourceCheckValue, verb: string): DecisionValue {
  meter.spend(stepsPerCheck);
  return new DecisionValue(known.to({...place, user, verb, isResourceRequest: true, path: ''}));
}
