import test from 'ava';
import type {CheckedPod} from '../../../../plugins/admission/pod-security/checks/check.js';
import {allChecks, detailText, reasonText, violations} from '../../../../plugins/admission/pod-security/evaluate.js';
import type {Level, PolicyVersion} from '../../../../plugins/admission/pod-security/standard.js';
import {controls, keys, type Form} from './control-forms.js';
import type {Container, PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';

const newestRelease = 26;
const everyVersion: readonly PolicyVersion[] = [...Array.from({length: newestRelease + 1}, (_, minor) => minor), 'latest', 27, 99];

/** A pod that every version of every level allows, with one container of each kind. */
function goodPod(): CheckedPod & {spec: PodSpec & {containers: Container[]}} {
  const container = (name: string) => ({
    name,
    image: 'x',
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: ['ALL']}},
  });
  return {
    annotations: {},
    spec: {
      securityContext: {runAsNonRoot: true, seccompProfile: {type: 'RuntimeDefault'}},
      initContainers: [container('i')],
      containers: [container('a'), container('b')],
      ephemeralContainers: [container('e')],
    },
  };
}

function podOf({pod = {}, containers = {}, annotations = {}}: Form): CheckedPod {
  const {spec} = goodPod();
  const altered = (list: readonly Container[]) =>
    list.map((container) => {
      const change = containers[container.name!];
      if (!change) return container;
      const securityContext = change.securityContext === null ? undefined : {...container.securityContext, ...change.securityContext};
      return {...container, ...change, ...(securityContext ? {securityContext} : {securityContext: undefined})} as Container;
    });
  return {
    annotations,
    spec: {
      ...spec,
      ...pod,
      securityContext: {...spec.securityContext, ...pod.securityContext},
      initContainers: altered(spec.initContainers!),
      containers: altered(spec.containers),
      ephemeralContainers: altered(spec.ephemeralContainers as Container[]),
    } as PodSpec,
  };
}

/** What the level `restricted` says of a form instead of `baseline`, in versions in which a stricter check stands in for it. */
const stricterWords: Readonly<Record<string, (minor: number) => string | undefined>> = {
  unusual: (minor) =>
    minor >= 22
      ? 'unrestricted capabilities (containers "a", "e" must not include "KILL", "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)'
      : undefined,
  hostPath: () => 'restricted volume types (volumes "v", "x" use restricted volume type "hostPath")',
};

for (const [control, forms] of Object.entries(controls)) {
  test(`[B-ADM-17] ${control}: each form is allowed and forbidden by the levels and versions that it should be`, (t) => {
    for (const form of forms) {
      for (const level of ['privileged', 'baseline', 'restricted'] as const) {
        for (const version of everyVersion)
          t.is(actual(form, level, version), expected(control, form, level, version), `${form.form}, ${level} ${version}`);
      }
    }
    t.true(forms.some(({forbidden}) => forbidden) && forms.length > 1);
  });
}

function actual(form: Form, level: Level, version: PolicyVersion): string {
  const found = violations({level, version}, podOf(form), keys);
  return detailText(found.filter(({reason}) => !form.also?.includes(reason)));
}

function expected(control: string, {form, forbidden, restrictedOnly}: Form, level: Level, version: PolicyVersion): string {
  const minor = version === 'latest' ? newestRelease : version;
  if (!forbidden || level === 'privileged' || (restrictedOnly && level === 'baseline')) return '';
  if (minor < (forbidden.since ?? 0) || minor > (forbidden.until ?? Infinity)) return '';
  const stricter =
    level === 'restricted'
      ? stricterWords[control === 'hostPathVolumes' ? 'hostPath' : form.startsWith('unusual') ? 'unusual' : '']?.(minor)
      : undefined;
  return stricter ?? `${forbidden.reason} (${forbidden.detail})`;
}

test('[B-ADM-17] a pod without any setting violates the newest restricted level in four ways, told in their order', (t) => {
  const pod = {annotations: {}, spec: {containers: [{name: 'a', image: 'x'}]}};
  t.is(
    detailText(violations({level: 'restricted', version: 'latest'}, pod, keys)),
    'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), ' +
      'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), ' +
      'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), ' +
      'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  );
  t.deepEqual(violations({level: 'baseline', version: 'latest'}, pod, keys), []);
});

test('[B-ADM-17] the reasons of baseline come before those of restricted', (t) => {
  const pod = {annotations: {}, spec: {hostPID: true, containers: [{name: 'a', image: 'x', securityContext: {privileged: true}}]}};
  t.is(reasonText(violations({level: 'restricted', version: 7}, pod, keys)), 'host namespaces, privileged, runAsNonRoot != true');
});

test('[B-ADM-17] every control has its row', (t) => {
  const rows = new Set(Object.keys(controls));
  const shared: Readonly<Record<string, string>> = {
    capabilities_baseline: 'capabilities',
    capabilities_restricted: 'capabilities',
    seccompProfile_baseline: 'seccomp',
    seccompProfile_restricted: 'seccomp',
  };
  for (const {id} of allChecks) t.true(rows.has(shared[id] ?? id), id);
  t.is(allChecks.length, 17);
});
