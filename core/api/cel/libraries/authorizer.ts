import {dnsLabelFaults, dnsSubdomainFaults, type ExpressionAuthorizer, type UserInfo} from '../../../../sdk/index.js';
import {meter} from '../cost-meter.js';
import {boolType, stringType, structOf} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';
import {OpaqueValue} from '../values/opaque.js';
import {AuthorizerAnswers, type Answer, type CheckedPlace} from './authorizer-answers.js';
import {functionsOf, method, type Library} from './overload.js';

const named = (name: string) => structOf(`kubernetes.authorization.${name}`);
/** Of the variable `authorizer`. */
export const authorizerType = named('Authorizer');
/** Of the variable `authorizer.requestResource`. */
export const resourceCheckType = named('ResourceCheck');
const pathType = named('PathCheck');
const groupType = named('GroupCheck');
const decisionType = named('Decision');

/** What a check costs: a single expression can make two (Kubernetes' cost). */
const stepsPerDearCheck = 350_000;
/** Where Kubernetes counts a check like any other function: it is far more, and an evaluation begins again for each that has to be waited for. */
const stepsPerCheck = 10_000;

abstract class AuthorizationValue extends OpaqueValue {
  override equals(other: OpaqueValue): boolean {
    return this === other;
  }
}

class AuthorizerValue extends AuthorizationValue {
  override readonly type = authorizerType;

  constructor(
    readonly answers: AuthorizerAnswers,
    readonly user: UserInfo,
    readonly areChecksDear: boolean,
  ) {
    super();
  }

  /** Takes what a check costs. */
  charge(): void {
    meter.spend(this.areChecksDear ? stepsPerDearCheck : stepsPerCheck);
  }
}

class PathCheckValue extends AuthorizationValue {
  override readonly type = pathType;

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly path: string,
  ) {
    super();
  }
}

class GroupCheckValue extends AuthorizationValue {
  override readonly type = groupType;

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly group: string,
  ) {
    super();
  }
}

class ResourceCheckValue extends AuthorizationValue {
  override readonly type = resourceCheckType;

  constructor(
    readonly authorizer: AuthorizerValue,
    readonly place: CheckedPlace,
  ) {
    super();
  }
}

class DecisionValue extends AuthorizationValue {
  override readonly type = decisionType;

  constructor(readonly answer: Answer) {
    super();
  }
}

/** The variables `authorizer` and `authorizer.requestResource` of the expressions about a request. */
export function authorizerValues(of: ExpressionAuthorizer): Readonly<Record<string, unknown>> {
  const authorizer = new AuthorizerValue(AuthorizerAnswers.of(of), of.user, of.areChecksDear ?? true);
  return {authorizer, 'authorizer.requestResource': new ResourceCheckValue(authorizer, {version: '*', ...of.requestResource})};
}

/** A service account has no more groups than these here. */
function serviceAccount({answers, areChecksDear}: AuthorizerValue, namespace: string, name: string): AuthorizerValue | Fault {
  if (dnsSubdomainFaults(name).length > 0) return new Fault('Invalid service account name');
  if (dnsLabelFaults(namespace).length > 0) return new Fault('Invalid service account namespace');
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return new AuthorizerValue(answers, {username: `system:serviceaccount:${namespace}:${name}`, groups}, areChecksDear);
}

function checkPath({authorizer, path}: PathCheckValue, verb: string): DecisionValue {
  authorizer.charge();
  return new DecisionValue(authorizer.answers.toPath(authorizer.user, verb, path));
}

function checkResource({authorizer, place}: ResourceCheckValue, verb: string): DecisionValue {
  authorizer.charge();
  return new DecisionValue(authorizer.answers.toResource(authorizer.user, verb, place));
}

/** A member of the place that is checked. */
const part = (member: keyof CheckedPlace) => [
  method([resourceCheckType, stringType], resourceCheckType, ({authorizer, place}: ResourceCheckValue, value: string) => {
    return new ResourceCheckValue(authorizer, {...place, [member]: value});
  }),
];

/** Kubernetes' checks of permissions. The types are known everywhere; values of them are only there where somebody gives them. */
export const authorizerLibrary: Library = {
  feature: 'authorizer',
  functions: functionsOf({
    path: [
      method([authorizerType, stringType], pathType, (authorizer: AuthorizerValue, path: string) =>
        path.trim() === '' ? new Fault('path must not be empty') : new PathCheckValue(authorizer, path),
      ),
    ],
    group: [
      method(
        [authorizerType, stringType],
        groupType,
        (authorizer: AuthorizerValue, group: string) => new GroupCheckValue(authorizer, group),
      ),
    ],
    serviceAccount: [method([authorizerType, stringType, stringType], authorizerType, serviceAccount)],
    resource: [
      method([groupType, stringType], resourceCheckType, ({authorizer, group}: GroupCheckValue, resource: string) =>
        resource.trim() === ''
          ? new Fault('resource must not be empty')
          : new ResourceCheckValue(authorizer, {group, version: '*', resource, subresource: '', namespace: '', name: ''}),
      ),
    ],
    subresource: part('subresource'),
    namespace: part('namespace'),
    name: part('name'),
    check: [method([pathType, stringType], decisionType, checkPath), method([resourceCheckType, stringType], decisionType, checkResource)],
    errored: [method([decisionType], boolType, ({answer}: DecisionValue) => answer.error !== undefined)],
    error: [method([decisionType], stringType, ({answer}: DecisionValue) => answer.error ?? '')],
    allowed: [method([decisionType], boolType, ({answer}: DecisionValue) => answer.decision === 'allow')],
    reason: [method([decisionType], stringType, ({answer}: DecisionValue) => answer.reason ?? '')],
  }),
};

export const authorizerSelectorLibrary: Library = {
  feature: 'authorizer-selectors',
  functions: functionsOf({fieldSelector: part('fieldSelector'), labelSelector: part('labelSelector')}),
};
