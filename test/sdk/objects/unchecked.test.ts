import test from 'ava';
import type {ApiObject, ObjectMeta, Unchecked} from '../../../sdk/index.js';
import type * as apps from '../../../sdk/types/apps/v1.js';
import type * as core from '../../../sdk/types/core/v1.js';
import type * as networking from '../../../sdk/types/networking/v1.js';

type Same<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
type Spec = NonNullable<Unchecked<apps.Deployment>['spec']>;

/** The compiler refuses what is not so. */
const claims: [
  anObjectHasMetadata: Same<Unchecked<apps.Deployment>['metadata'], ObjectMeta>,
  aTemplateMayLackIt: Same<Spec['template'], Unchecked<core.PodTemplateSpec> | undefined>,
  whatIsRequiredMayBeMissing: Same<Spec['selector'], Unchecked<apps.DeploymentSpec['selector']> | undefined>,
  anyTextStandsForOneOfAFew: Same<Unchecked<core.Container>['imagePullPolicy'], string | undefined>,
  numbersStayNumbers: Same<Spec['replicas'], number | undefined>,
  mapsStayMaps: Same<Unchecked<core.PodSpec>['nodeSelector'], {[x: string]: string} | undefined>,
  aListThatMustBeThereMayBeNull: Same<
    Unchecked<networking.HTTPIngressRuleValue>['paths'],
    Unchecked<networking.HTTPIngressPath>[] | null | undefined
  >,
  anotherListMayNot: Same<Unchecked<networking.IngressSpec>['rules'], Unchecked<networking.IngressRule>[] | undefined>,
  itIsAnObjectOfAnApi: Unchecked<core.Pod> extends ApiObject ? true : false,
] = [true, true, true, true, true, true, true, true, true];

test('an unchecked object lacks what it likes, but for metadata', (t) => {
  t.deepEqual(new Set(claims), new Set([true]));
});
